import { sql } from 'kysely'
import { needsNotice, noticeDueOf, notifyAbout } from '../../communication/notifications/notify.ts'
import { assertIsMember } from '../../identity/members/member.access.ts'
import { findInstructorCertificate } from '../../identity/profiles/profile.queries.ts'
import { type Actor, is } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { claimBatch } from '../../platform/jobs/claim-batch.ts'
import { localDate } from '../../platform/kernel/zones.ts'
import { seal } from '../../platform/seals/seal.ts'
import { assertIsPaperOf } from '../../qualification/documents/document.access.ts'
import { Endorsement } from '../endorsements.tables.ts'
import { assertGrades } from '../grants/grant.access.ts'
import { trainingErrors } from '../training.errors.ts'
import type { EndorsementParameters, EndorsementTemplate } from './catalog/endorsement-template.ts'
import { assertIsTheirEnrollment, assertIsTheirName, lockToReplace } from './endorsement.access.ts'
import { expiryOf, type Signature, signatureOf } from './endorsement.rules.ts'
import { type Edition, findEndorsementTemplate } from './endorsement-templates.ts'
import { assertFitsTemplate, assertHasHappenedInOrder, assertTakesEdition } from './new-endorsement.rules.ts'
import { signedWith } from './signer-certificate.rules.ts'

export interface NewEndorsement {
  orgUserId: number
  /** Stored exactly as given. */
  renderedText: string
  templateCode: string | null
  edition: Edition
  title: string | null
  /** Undefined: the template's default; null: never expires. */
  expiresAt?: Date | null | undefined
  /** Null: the day of the signature. */
  trainingAt: Date | null
  parameters: EndorsementParameters
  /** Another signer, in whose name the endorsement is recorded; null when the actor names none. */
  signedBy: { orgUserId: number | null; name: string | null; certificateNumber: string | null } | null
  /** The document of the endorsed member that proves the endorsement. */
  documentId: number | null
  /** Null: now. */
  signedAt: Date | null
  enrollmentId: number | null
  signerCertificateNumber: string | null
  signerCertificateExpiry: Date | null
  supersedesId: number | null
  /** Whether an import records it with its original signature. */
  imported?: boolean
}

/**
 * Issues an endorsement: signed by the actor, recorded in the name of another signer, or unsigned when an admin who is
 * not an instructor names no signer. It can supersede an earlier endorsement of the same member. An endorsement that a
 * member signs for themselves, or that is signed without a certificate number, is stored but never counts.
 * Implements interface §Training: POST /training/endorsements.
 */
export async function issueEndorsement(
  tx: Tx,
  actor: Actor,
  input: NewEndorsement,
): Promise<{ id: number; unsigned: boolean; unnumbered: boolean }> {
  assertGrades(actor)
  const { organizationId } = actor
  const { orgUserId: membershipId, templateCode, edition, supersedesId, signedBy: _signer, ...fields } = input
  if (input.signedBy) await assertIsTheirName(tx, actor, input.signedBy)
  const signedBy = input.signedBy?.orgUserId === actor.orgUserId ? null : input.signedBy
  await assertIsMember(tx, actor, membershipId, 'orgUserId')
  const template = templateCode === null ? null : findEndorsementTemplate(templateCode, edition)
  if (templateCode !== null && !template) throw trainingErrors.unknownTemplate()
  const title = input.title ?? template?.title
  if (title === undefined) throw trainingErrors.titleMissing()
  const signature = assertIsSigner(actor, template, { ...input, signedBy })
  const signer = signedBy?.orgUserId ?? null
  if (signer !== null) await assertIsMember(tx, actor, signer, 'signedBy.orgUserId', ['instructor'])
  if (signer === membershipId) throw trainingErrors.endorsesThemselves()
  if (input.documentId !== null) {
    await assertIsPaperOf(tx, { organizationId, orgUserId: membershipId }, input.documentId)
  }
  const zone = actor.organization.timeZoneName
  assertTakesEdition(input, zone)
  assertHasHappenedInOrder(input, tx.now, zone)
  assertFitsTemplate(template, input)
  if (input.enrollmentId !== null) await assertIsTheirEnrollment(tx, actor, input.enrollmentId, membershipId)
  const replaced = supersedesId === null ? null : await lockToReplace(tx, actor, supersedesId, membershipId)
  const signedAt = input.signedAt ?? tx.now
  const days = { signedAt, trainingAt: input.trainingAt, flightOn: input.parameters.date ?? null }
  const usual = template ? expiryOf(template, days, zone) : null
  if (input.trainingAt !== null && input.expiresAt === undefined && usual !== null && usual < signedAt) {
    throw trainingErrors.trainingTooOld()
  }
  const signedById = signature === 'own' ? actor.orgUserId : signer
  const profile = await findInstructorCertificate(tx.db, organizationId, signedById)
  const ofCaller = input.signerCertificateNumber ?? input.signedBy?.certificateNumber ?? null
  const given = signedBy ? signedBy.certificateNumber : ofCaller
  const { number, flaw } = signedWith(given, profile, localDate(signedAt, zone))
  const numberRequired = signature !== 'unsigned' && !input.imported
  const endorsement = tx.em.create(Endorsement, {
    ...fields,
    organizationId,
    membershipId,
    title,
    templateCode: template?.code ?? null,
    templateEdition: template ? edition : null,
    expiresAt: input.expiresAt === undefined ? usual : input.expiresAt,
    signedBy: signedById,
    signerName: signer === null ? (signedBy?.name ?? null) : null,
    signerCertificateNumber: number,
    numberRequired,
    certificateFlaw: flaw,
    recordedBy: signature === 'own' ? null : actor.orgUserId,
    signedAt,
    supersedesId,
    imported: input.imported ?? false,
  })
  await tx.em.flush()
  seal(tx, actor, 'endorsement.issued', { id: endorsement.id, of: membershipId, signer: endorsement.signedBy ?? null })
  if (replaced) {
    tx.em.assign(replaced, { supersededAt: tx.now, supersededById: endorsement.id })
    seal(tx, actor, 'endorsement.superseded', { id: replaced.id, of: membershipId })
  }
  const after = { orgUserId: membershipId, code: template?.code ?? null, edition: endorsement.templateEdition }
  emit(tx, actor, { kind: 'endorsement.issued', subject: { kind: 'endorsement', id: endorsement.id }, after })
  return { id: endorsement.id, unsigned: signature === 'unsigned', unnumbered: numberRequired && number === null }
}

/**
 * Returns the signature of an endorsement. Refuses a signature that the actor may not record (`signatureOf`). Also
 * refuses an explicit date of the signature, unless an admin records it in the name of another signer.
 */
function assertIsSigner(actor: Actor, template: EndorsementTemplate | null, input: NewEndorsement): Signature {
  const isAdmin = is(actor, ['admin', 'owner'])
  const isInstructor = is(actor, ['instructor'])
  const signature = signatureOf(template?.signer ?? null, {
    isInstructor,
    isAdmin,
    namesSigner: input.signedBy !== null,
  })
  if (signature === null) {
    throw trainingErrors.signerNotAllowed()
  }
  if (input.signedAt !== null && !(isAdmin && signature === 'on_behalf')) {
    throw trainingErrors.ownSignatureDated()
  }
  return signature
}

/** Enqueues the due expiry notices of endorsements, except superseded ones. Returns the number of notices. */
export function notifyExpiringEndorsements(tx: Tx): Promise<number> {
  return claimBatch(tx, {
    table: 'endorsement',
    due: sql`${needsNotice(tx.now)} and r.superseded_at is null`,
    order: sql`r.expires_at`,
    mark: { expiry_notified_days: noticeDueOf(sql`r.expires_at`, tx.now) },
    each: notifyAbout(tx, 'endorsement_expiring'),
  })
}
