import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { instant, tenantRecord } from '../../platform/db/columns.ts'

/** An endorsement. Its text never changes after it is signed; a later endorsement can supersede it. */
export const Endorsement = defineEntity({
  name: 'Endorsement',
  tableName: 'endorsement',
  properties: {
    ...tenantRecord,
    membershipId: p.integer(),
    enrollmentId: p.integer().nullable(),
    templateCode: p.text().nullable(),
    templateEdition: p.text().nullable(),
    title: p.text(),
    renderedText: p.text(),
    expiresAt: instant().nullable(),
    signedBy: p.integer(),
    signerCertificateNumber: p.text().nullable(),
    signerCertificateExpiry: instant().nullable(),
    supersedesId: p.integer().nullable(),
    supersededAt: instant().nullable(),
    supersededById: p.integer().nullable(),
    /** The last notice of the expiry that was sent, in days before it. */
    expiryToldDays: p.smallint().nullable(),
  },
})
export type Endorsement = InferEntity<typeof Endorsement>
