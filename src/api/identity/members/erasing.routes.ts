import { z } from 'zod'
import { eraseMember } from '../../../shared/workflows/erase-member.ts'
import { workflowsErrors } from '../../../shared/workflows/workflows.errors.ts'
import { ok } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { iso } from '../../http/iso.ts'
import { PasswordAgain } from '../../http/reauthentication.ts'
import { envelope, IdParams, Instant, note } from '../../http/schemas.ts'

const EraseBody = z.object({
  reason: note(500).describe('Recorded in the audit log'),
  password: PasswordAgain,
})

/** What was erased of a person, and what is kept. */
const Erasure = z
  .object({
    name: z.string(),
    erasedAt: Instant,
    erased: z.array(z.string()),
    kept: z.array(
      z.object({
        kind: z.string(),
        count: z.int(),
        reason: z.string(),
        until: Instant.nullable().describe('When the record is deleted; null: kept as long as the organization exists'),
      }),
    ),
  })
  .meta({ id: 'Erasure' })

export const erasingRoutes: Routes = (on) => {
  on.post('/orgUsers/:id/erase', {
    id: 'eraseMember',
    access: ['owner'],
    tag: 'Members',
    summary: 'Erase the personal data of a former member',
    description:
      'Erases a member who was removed (`GET /orgUsers?removed=true`). Deletes contacts, profile, documents, ' +
      'currencies and other personal data, and replaces the name in texts that the service wrote. Bookings, money ' +
      'and training stay under “Former member N”; `kept` says why and until when. The person keeps their account. ' +
      'Requires a recent sign-in, or the password. At most 20 per day.',
    params: IdParams,
    body: EraseBody,
    answers: { 200: envelope(Erasure) },
    errors: [workflowsErrors.notRemoved, workflowsErrors.alreadyErased, workflowsErrors.stillNeeded],
    asksAgain: 'always',
    rateLimit: { organization: 'erasures' },
    write: (tx, { actor, params, body }) => eraseMember(tx, actor, params.id, body.reason),
    answer: ({ name, erasedAt, erased, kept }) =>
      ok({
        name,
        erasedAt: iso(erasedAt),
        erased,
        kept: kept.map((records) => ({ ...records, until: iso(records.until) })),
      }),
  })
}
