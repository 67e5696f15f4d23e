import { type InferEntity, p } from '@mikro-orm/core'
import { instant, tenantRecord } from '../platform/db/columns.ts'
import { aggregate } from '../platform/db/declare-table.ts'
import { member } from '../platform/db/member-columns.ts'
import type { EndorsementParameters } from './endorsements/catalog/endorsement-template.ts'
import { certificateFlaws } from './endorsements/signer-certificate.rules.ts'

/** An endorsement. Its text never changes after it is signed; a later endorsement can supersede it. */
export const Endorsement = aggregate('endorsement', {
  exported: true,
  rights: {
    update: ['updatedAt', 'expiryNotifiedDays', 'supersededAt', 'supersededById', 'confirmedAt', 'disownedAt'],
  },
  readByBookingRules: true,
  columns: {
    ...tenantRecord,
    membershipId: member.paper('endorsements', 'together', 'training'),
    /** The member who had the endorsement before a merge; null without a merge. */
    mergedFrom: member.act('endorsements', 'none').nullable(),
    enrollmentId: p.integer().nullable(),
    templateCode: p.text().nullable(),
    templateEdition: p.text().nullable(),
    title: p.text(),
    renderedText: p.text(),
    expiresAt: instant().nullable(),
    /** Null when the signer is not a member, or the endorsement is unsigned. */
    signedBy: member.act('endorsements', 'training').nullable(),
    /** The name of a signer who is not a member. */
    signerName: p.text().nullable(),
    /** The member who recorded it, when that is not the signer. */
    recordedBy: member.act('endorsements', 'training').nullable(),
    /** When the signer confirmed or disowned an endorsement that another member recorded. */
    confirmedAt: instant().nullable(),
    disownedAt: instant().nullable(),
    /** The document of the endorsed member that proves the endorsement. */
    documentId: p.integer().nullable(),
    signedAt: instant().defaultRaw('now()'),
    /** When the training was; null when it was on the day of the signature. */
    trainingAt: instant().nullable(),
    parameters: p.json<EndorsementParameters>().defaultRaw("'{}'"),
    signerCertificateNumber: p.text().nullable(),
    signerCertificateExpiry: instant().nullable(),
    /** Whether it counts only with the number of the signer's certificate; false for imported and for earlier ones. */
    numberRequired: p.boolean().default(false),
    /** What contradicted the verified certificate of the signer when it was signed; null: nothing. */
    certificateFlaw: p.enum(certificateFlaws).nullable(),
    supersedesId: p.integer().nullable(),
    supersededAt: instant().nullable(),
    supersededById: p.integer().nullable(),
    /** Whether an import recorded it with its original signature. */
    imported: p.boolean().default(false),
    /** The lead time of the last expiry notice, in days; null before the first notice. */
    expiryNotifiedDays: p.smallint().nullable(),
  },
})
export type Endorsement = InferEntity<typeof Endorsement>
