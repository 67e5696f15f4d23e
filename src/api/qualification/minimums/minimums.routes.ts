import { z } from 'zod'
import { admins } from '../../../shared/platform/authz/roles.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { findMinimums, type MinimumsRow } from '../../../shared/qualification/minimums/minimums.queries.ts'
import { replaceMinimums } from '../../../shared/qualification/minimums/replace-minimums.ts'
import { ok } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { envelope, Id, IdParams, Instant } from '../../http/schemas.ts'

const limit = (schema: z.ZodNumber, what: string) => schema.nullable().default(null).describe(what)
const knots = (what: string) => limit(z.int().min(0).max(99), `The largest ${what}, in knots; null: no limit`)

const limits = {
  ceilingFeet: limit(z.int().min(0).max(20_000), 'The lowest ceiling, in feet above the ground; null: no limit'),
  visibilityMiles: limit(
    z.number().min(0).max(10).multipleOf(0.25),
    'The lowest visibility, in statute miles; null: no limit',
  ),
  windKnots: knots('wind speed'),
  gustKnots: knots('gust speed'),
  crosswindKnots: knots('crosswind'),
}

const MinimumsBody = z.object(limits)
const Minimums = z
  .object({
    orgUserId: Id,
    ...limits,
    createdAt: Instant.nullable(),
    updatedAt: Instant.nullable().describe('When the limits were set; null: never'),
  })
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
      'Returns the weather limits that the school set for a member. They apply in addition to 14 CFR 61.89 and ' +
      '91.155. Allowed for the member and for staff.',
    params: IdParams,
    answers: { 200: envelope(Minimums) },
    errors: [[platformErrors.notAllowed, 'the caller is neither the member nor staff']],
    read: async ({ db, actor, params }) => ok(minimumsView(await findMinimums(db, actor, params.id))),
  })

  on.put('/orgUsers/:id/minimums', {
    id: 'putMinimums',
    access: [...admins, 'instructor'],
    tag,
    summary: 'Set the weather limits of a member',
    description:
      'Replaces all weather limits of a member; an absent one becomes null. The booking rule `pilot_minimums` ' +
      'compares flights with them, by the METAR and TAF of the location’s airport, at the release and from two ' +
      'hours before the start. The rule is off until an admin turns it on (`PATCH /rules/{key}`). Wind above the ' +
      'crosswind limit gives only a warning, because the crosswind depends on the runway. The limits apply in ' +
      'addition to 14 CFR 61.89 and 91.155.',
    params: IdParams,
    body: MinimumsBody,
    answers: { 200: envelope(Minimums) },
    write: (tx, { actor, params, body }) => replaceMinimums(tx, actor, params.id, body),
    answer: async ({ orgUserId }, { db, actor }) => ok(minimumsView(await findMinimums(db, actor, orgUserId))),
  })
}

function minimumsView({ orgUserId, minimums, createdAt, updatedAt }: MinimumsRow): z.input<typeof Minimums> {
  return { orgUserId, ...minimums, createdAt, updatedAt }
}
