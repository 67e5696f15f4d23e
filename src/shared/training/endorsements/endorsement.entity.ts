import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { instant, tenantRecord } from '../../platform/db/columns.ts'
import type { EndorsementParameters } from './catalog/endorsement-template.ts'

/** An endorsement. Its text never changes after it is signed; a later endorsement can supersede it. */
export const Endorsement = defineEntity({
  name: 'Endorsement',
  tableName: 'endorsement',
  properties: {
    ...tenantRecord,
    membershipId: p.integer(),
    /** The member from whom a merge brought it. */
    mergedFrom: p.integer().nullable(),
    enrollmentId: p.integer().nullable(),
    templateCode: p.text().nullable(),
    templateEdition: p.text().nullable(),
    title: p.text(),
    renderedText: p.text(),
    expiresAt: instant().nullable(),
    /** Null when the signer is no member, or the endorsement is unsigned. */
    signedBy: p.integer().nullable(),
    /** The name of a signer who is no member. */
    signerName: p.text().nullable(),
    /** The member who recorded it, when that is not the signer. */
    recordedBy: p.integer().nullable(),
    /** When the member in whose name it was recorded confirmed or disowned it. */
    confirmedAt: instant().nullable(),
    disownedAt: instant().nullable(),
    /** The member's document that proves it. */
    documentId: p.integer().nullable(),
    signedAt: instant().defaultRaw('now()'),
    /** The day of the training that it attests, when that is not the day of the signature. */
    trainingAt: instant().nullable(),
    parameters: p.json<EndorsementParameters>().defaultRaw("'{}'"),
    signerCertificateNumber: p.text().nullable(),
    signerCertificateExpiry: instant().nullable(),
    supersedesId: p.integer().nullable(),
    supersededAt: instant().nullable(),
    supersededById: p.integer().nullable(),
    /** Brought in by an import, with the signature of then. */
    imported: p.boolean().default(false),
    /** The days before the expiry of the last notice sent. */
    expiryToldDays: p.smallint().nullable(),
  },
})
export type Endorsement = InferEntity<typeof Endorsement>
