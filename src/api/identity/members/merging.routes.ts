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
import { envelope, Id, IdParams, warnings } from '../../http/schemas.ts'
import { OrganizationUser, orgUserView } from './org-user.view.ts'

const tag = 'Members'

const MergeBody = z.object({
  intoOrgUserId: Id.describe('The member who receives the records'),
  dryRun: z.boolean().default(false).describe('`true`: only returns what would move and what conflicts'),
  password: PasswordAgain,
})

/** The records that a merge moved, and the member who has them now. */
const Merged = z
  .object({
    moved: z.array(z.object({ kind: z.string(), count: z.int() })),
    conflicts: z
      .array(
        z.object({
          kind: z.enum(['booking', 'enrollment', 'currency']),
          id: Id.describe('The record of the managed member'),
          message: z.string(),
        }),
      )
      .describe(
        'Conflicts, in a dry run. Without `dryRun`, conflicts are the error 409 `MERGE_CONFLICT`, in `details`',
      ),
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
      'Moves bookings, money, training and documents of a managed member to another member and adds its roles, ' +
      'except owner and admin. The managed member then no longer exists (404). When the other member has an ' +
      'account whose verified address differs from that of the managed member, only bookings and money move; the ' +
      'person can take over the rest within seven days (`POST /orgUsers/{id}/merge/accept`). Saved cards, calendar ' +
      'addresses and preferences never move. Requires a recent sign-in, or the password. At most 20 per day.',
    params: IdParams,
    body: MergeBody,
    answers: { 200: envelope(Merged, warnings) },
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
    summary: 'Take over the records of a member who was merged into you',
    description:
      'Moves the profile, documents, endorsements, enrollments and currencies of the merged member to the caller, ' +
      'within seven days of the merge. `{id}` is the member who was merged.',
    params: IdParams,
    answers: { 200: envelope(Merged) },
    errors: [workflowsErrors.mergeConflict],
    write: (tx, { actor, params }) => acceptMerge(tx, actor, params.id),
    answer: (outcome, call) => answerMerged(outcome, call),
  })
}

async function answerMerged(
  { id, moved, conflicts, warnings: said }: MergeOutcome,
  { db, actor }: { db: Db; actor: Actor },
) {
  return ok(
    { moved, conflicts, orgUser: orgUserView(await findOrgUser(db, actor.organizationId, id), actor) },
    said && { warnings: said },
  )
}
