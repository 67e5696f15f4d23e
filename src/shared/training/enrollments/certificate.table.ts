import { defineEntity, p } from '@mikro-orm/core'
import { tenantRecord } from '../../platform/db/columns.ts'
import { certificateKinds } from './certificate.rules.ts'

/**
 * An issued certificate. Its PDF stays the same when names change later. The numbers of an organization and kind have
 * no gaps. Append-only: the database refuses changes. Kysely writes the table; the ORM only declares its columns.
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
