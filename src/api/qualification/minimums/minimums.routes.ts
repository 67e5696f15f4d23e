import { z } from 'zod'
import { admins } from '../../../shared/platform/authz/roles.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { findMinimums, type MinimumsRow } from '../../../shared/qualification/minimums/minimums.queries.ts'
import { putMinimums } from '../../../shared/qualification/minimums/put-minimums.ts'
import { ok } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { envelope, Id, IdParams, Instant } from '../../http/schemas.ts'

const limit = (schema: z.ZodNumber, what: string, example: number) =>
  schema
    .nullable()
    .default(null)
    .describe(what)
    .meta({ examples: [example] })
const knots = (what: string, example: number) => limit(z.int().min(0).max(99), `The most ${what}, in knots`, example)

const limits = {
  ceilingFeet: limit(z.int().min(0).max(20_000), 'The least ceiling, in feet above the ground', 3_000),
  visibilityMiles: limit(z.number().min(0).max(10).multipleOf(0.25), 'The least visibility, in statute miles', 5),
  windKnots: knots('wind', 12),
  gustKnots: knots('gusts', 16),
  crosswindKnots: knots('crosswind', 7),
}

const MinimumsBody = z.object(limits)
const Minimums = z
  .object({ orgUserId: Id, ...limits, updatedAt: Instant.nullable().describe('null: nobody set any') })
  .meta({ id: 'PilotMinimums' })

const tag = 'Members'

/** The endpoints of members' weather limits. Implements interface §Members. */
export const minimumsRoutes: Routes = (on) => {
  on.get('/orgUsers/:id/minimums', {
    id: 'readMinimums',
    access: 'member',
    tag,
    summary: 'Read the weather limits of a member',
    description:
      'For the member and staff. A school’s own limits, beside those of 14 CFR 61.89 and 91.155; null: none.',
    params: IdParams,
    answers: { 200: envelope(Minimums) },
    errors: [[platformErrors.notAllowed, 'neither the member nor staff']],
    read: async ({ db, actor, params }) => ok(minimumsView(await findMinimums(db, actor, params.id))),
  })

  on.put('/orgUsers/:id/minimums', {
    id: 'putMinimums',
    access: [...admins, 'instructor'],
    tag,
    summary: 'Set the weather limits of a member',
    description:
      'All of them: what is left out does not limit. The rule `pilot_minimums` (`PATCH /rules/{key}`, off at first) holds ' +
      'flights against them by METAR and TAF of the location’s airport, at release and from two hours before the start. ' +
      'The crosswind depends on the runway, so wind above it is a warning. A school’s rule, beside 14 CFR 61.89 and 91.155.',
    params: IdParams,
    body: MinimumsBody,
    answers: { 200: envelope(Minimums) },
    write: (tx, { actor, params, body }) => putMinimums(tx, actor, params.id, body),
    answer: async ({ orgUserId }, { db, actor }) => ok(minimumsView(await findMinimums(db, actor, orgUserId))),
  })
}

function minimumsView({ orgUserId, minimums, updatedAt }: MinimumsRow): z.input<typeof Minimums> {
  return { orgUserId, ...minimums, updatedAt }
}
