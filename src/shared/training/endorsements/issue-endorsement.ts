import { sql } from 'kysely'
import { noticeDueOf, notify, notifyAbout, owesNotice } from '../../communication/notifications/notify.ts'
import { mustBeMember } from '../../identity/members/member.access.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { claimBatch } from '../../platform/jobs/claim-batch.ts'
import { mustGrade } from '../grants/grant.access.ts'
import { mustNotBeOneself } from '../records/record.access.ts'
import { trainingErrors } from '../training.errors.ts'
import { EDITION } from './catalog/endorsement-template.ts'
import { lockToReplace, mustBeTheirEnrollment } from './endorsement.access.ts'
import { Endorsement } from './endorsement.entity.ts'
import { expiryOf } from './endorsement.rules.ts'
import { findEndorsementTemplate } from './endorsement-templates.ts'

export interface NewEndorsement {
  orgUserId: number
  /** Stored exactly as given. */
  renderedText: string
  templateCode: string | null
  title: string | null
  /** Undefined for the template's default; null never expires. */
  expiresAt?: Date | null | undefined
  enrollmentId: number | null
  signerCertificateNumber: string | null
  signerCertificateExpiry: Date | null
  supersedesId: number | null
}

/**
 * Issues an endorsement signed by the actor. It can supersede an earlier endorsement of the same member.
 * Implements interface §Training: POST /training/endorsements.
 * @throws Forbidden when the actor is neither instructor nor admin
 * @throws Forbidden OWN_TRAINING when the actor endorses themselves
 * @throws Invalid when there is no such member or template, or the enrollment or endorsement is not the member's
 * @throws Conflict ALREADY_REPLACED when the earlier endorsement is superseded already
 */
export async function issueEndorsement(tx: Tx, actor: Actor, input: NewEndorsement): Promise<{ id: number }> {
  mustGrade(actor)
  const { organizationId, orgUserId: signedBy } = actor
  const { orgUserId: membershipId, templateCode, supersedesId, ...fields } = input
  await mustBeMember(tx, actor, membershipId, 'orgUserId')
  mustNotBeOneself(actor, membershipId)
  const template = templateCode === null ? null : findEndorsementTemplate(templateCode)
  if (templateCode !== null && !template) throw trainingErrors.unknownTemplate()
  const title = input.title ?? template?.title
  if (title === undefined) throw trainingErrors.titleMissing()
  if (input.enrollmentId !== null) await mustBeTheirEnrollment(tx, actor, input.enrollmentId, membershipId)
  const replaced = supersedesId === null ? null : await lockToReplace(tx, actor, supersedesId, membershipId)
  const zone = actor.organization.timeZoneName
  const usual = expiryOf(tx.now, template?.validityDays ?? null, zone)
  const endorsement = tx.em.create(Endorsement, {
    ...fields,
    organizationId,
    membershipId,
    title,
    templateCode: template?.code ?? null,
    templateEdition: template ? EDITION : null,
    expiresAt: input.expiresAt === undefined ? usual : input.expiresAt,
    signedBy,
    supersedesId,
  })
  await tx.em.flush()
  if (replaced) tx.em.assign(replaced, { supersededAt: tx.now, supersededById: endorsement.id })
  const after = { orgUserId: membershipId, code: template?.code ?? null }
  emit(tx, actor, { kind: 'endorsement.issued', subject: { kind: 'endorsement', id: endorsement.id }, after })
  notify(tx, { organizationId, kind: 'endorsement_issued', subjectId: endorsement.id, causedBy: signedBy })
  return { id: endorsement.id }
}

/** Enqueues the notices that are due of endorsements that expire, none for one that was superseded. Returns how many. */
export function notifyExpiringEndorsements(tx: Tx): Promise<number> {
  return claimBatch(tx, {
    table: 'endorsement',
    due: sql`${owesNotice(tx.now)} and r.superseded_at is null`,
    order: sql`r.expires_at`,
    mark: { expiry_told_days: noticeDueOf(sql`r.expires_at`, tx.now) },
    each: notifyAbout(tx, 'endorsement_expiring'),
  })
}
