import { z } from 'zod'
import { identityErrors } from '../../../shared/identity/identity.errors.ts'
import { findOrgUser } from '../../../shared/identity/members/org-user.queries.ts'
import type { Actor } from '../../../shared/platform/authz/actor.ts'
import { admins } from '../../../shared/platform/authz/roles.ts'
import type { Db } from '../../../shared/platform/db/database.ts'
import { acceptMerge, type MergeOutcome, mergeMembers } from '../../../shared/workflows/merge-members.ts'
import { workflowsErrors } from '../../../shared/workflows/workflows.errors.ts'
import { ok } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { PasswordAgain } from '../../http/reauthentication.ts'
import { envelope, Id, IdParams } from '../../http/schemas.ts'
import { OrganizationUser, orgUserView } from './org-user.view.ts'

const tag = 'Members'

const MergeBody = z.object({
  intoOrgUserId: Id.describe('Who gets the records'),
  dryRun: z.boolean().default(false).describe('Only say what would move, and what stands in the way'),
  password: PasswordAgain,
})

/** What a merge moved, and the member who has it. */
const Merged = z
  .object({
    moved: z.array(z.object({ kind: z.string().meta({ examples: ['bookings'] }), count: z.int() })),
    conflicts: z
      .array(
        z.object({
          kind: z.enum(['booking', 'enrollment', 'currency']),
          id: Id.describe('Of the record of the member who goes'),
          message: z.string().meta({ examples: ['Both are enrolled in Private pilot.'] }),
        }),
      )
      .describe('Of a dry run; else a conflict is 409 `MERGE_CONFLICT`, with the same in `details`'),
    orgUser: OrganizationUser,
  })
  .meta({ id: 'Merged' })

export const mergingRoutes: Routes = (on) => {
  on.post('/orgUsers/:id/merge', {
    id: 'mergeMember',
    access: admins,
    tag,
    summary: 'Merge a managed member into another',
    description:
      'Bookings, money, training and papers move, roles are united but for owner and admin, and the managed member is gone (404). ' +
      'Into a member with an account whose verified address is not that of the managed member only bookings and money move: the ' +
      'person takes over the rest within seven days. Saved cards, calendar addresses and preferences never move. Asks for the ' +
      'password again. At most 20 a day.',
    params: IdParams,
    body: MergeBody,
    answers: { 200: envelope(Merged) },
    errors: [workflowsErrors.mergesManaged, workflowsErrors.mergeConflict, identityErrors.unknownMember],
    asksAgain: 'always',
    rateLimit: { organization: 'merges' },
    write: (tx, { actor, params, body }) => mergeMembers(tx, actor, params.id, body),
    answer: (outcome, call) => answerMerged(outcome, call),
  })

  on.post('/orgUsers/:id/merge/accept', {
    id: 'acceptMerge',
    access: 'member',
    tag,
    summary: 'Take over the papers of a member who was merged into oneself',
    description:
      'Within seven days of the merge: profile, documents, endorsements, enrollments, currencies. `{id}` is the member who is gone.',
    params: IdParams,
    answers: { 200: envelope(Merged) },
    errors: [workflowsErrors.mergeConflict],
    write: (tx, { actor, params }) => acceptMerge(tx, actor, params.id),
    answer: (outcome, call) => answerMerged(outcome, call),
  })
}

async function answerMerged({ id, moved, conflicts }: MergeOutcome, { db, actor }: { db: Db; actor: Actor }) {
  return ok({ moved, conflicts, orgUser: orgUserView(await findOrgUser(db, actor.organizationId, id), actor) })
}
