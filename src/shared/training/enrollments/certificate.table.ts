import { defineEntity, p } from '@mikro-orm/core'
import { tenantRecord } from '../../platform/db/columns.ts'
import { certificateKinds } from './certificate.rules.ts'

/**
 * A certificate as it was issued: its bytes stay, whatever is renamed later. Numbers of an organization and kind have no gaps.
 * Append-only: the database refuses changes. Kysely writes it; the ORM only declares the columns.
 */
export const TrainingCertificate = defineEntity({
  name: 'TrainingCertificate',
  tableName: 'training_certificate',
  properties: {
    ...tenantRecord,
    enrollmentId: p.integer(),
    kind: p.enum(certificateKinds),
    number: p.integer(),
    pdf: p.blob(),
  },
})
