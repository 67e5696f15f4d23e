import { z } from 'zod'
import { fleetErrors } from '../../../shared/fleet/fleet.errors.ts'
import { reservationTypes, seatSides } from '../../../shared/fleet/resources/reservation-types.rules.ts'
import { identityErrors } from '../../../shared/identity/identity.errors.ts'
import type { Actor } from '../../../shared/platform/authz/actor.ts'
import { deskStaff } from '../../../shared/platform/authz/roles.ts'
import { fieldErrors } from '../../../shared/platform/field.errors.ts'
import { findOperation } from '../../../shared/platform/operations/operation.queries.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { schedulingErrors } from '../../../shared/scheduling/scheduling.errors.ts'
import type { BulkAction, BulkSelection } from '../../../shared/workflows/bulk.types.ts'
import { MOST_BOOKINGS, type NewBulk, startBulk } from '../../../shared/workflows/start-bulk.ts'
import { workflowsErrors } from '../../../shared/workflows/workflows.errors.ts'
import { accepted } from '../../http/answers.ts'
import { FilterIds, FilterMembers, filterWords } from '../../http/body-filters.ts'
import type { Routes } from '../../http/endpoint.ts'
import { envelope, Id, InstantInput, membersOf, name, Reference } from '../../http/schemas.ts'
import { requiredWindow, windowOf } from '../../http/windows.ts'
import { Operation, operationView } from '../../platform/operations/operation.view.ts'
import { OverridesInput } from '../rules/overrides.schemas.ts'
import { CancellationInput } from './cancellation.schemas.ts'
import { PersonnelChange, seatsOf } from './reservations.schemas.ts'

/** The most places that a reassignment offers to a booking: resources times instructors. */
const MOST_CHOICES = 50

/** The longest move, in minutes: two weeks. */
const MOST_MINUTES = 20_160

const Change = z.object({
  id: Id,
  start: InstantInput.optional(),
  end: InstantInput.optional(),
  resource: Reference.nullish(),
  personnel: PersonnelChange.optional().describe(
    'The people to replace, by side (`instructors`, `students` and so on). A side that is left out stays; `[]` ' +
      'empties a side',
  ),
})

const actions = {
  cancel: CancellationInput,
  move: z.object({
    minutes: z
      .int()
      .min(-MOST_MINUTES)
      .max(MOST_MINUTES)
      .refine((minutes) => minutes !== 0, { message: fieldErrors.notZero() }),
  }),
  reassign: z
    .object({
      resource: Reference.optional(),
      resources: z
        .array(Reference)
        .min(1)
        .max(MOST_CHOICES)
        .optional()
        .describe('The resources in order of preference. Each booking gets the first one that is accepted'),
      pool: name(40)
        .optional()
        .describe(
          'The pool. Each booking gets the first of its resources that is accepted, by least booked hours that day; a ' +
            'booking on one of them gets another only when nobody has to agree to it',
        ),
      instructorOrgUserId: Id.optional(),
      instructorOrgUserIds: z
        .array(Id)
        .min(1)
        .max(MOST_CHOICES)
        .optional()
        .describe(
          'The instructors in order of preference. Each booking gets the first one who is accepted: with the first of ' +
            'the resources that is accepted with that instructor',
        ),
    })
    .refine((to) => [to.resource, to.resources, to.pool].filter((one) => one !== undefined).length <= 1, {
      message: fieldErrors.givesOneOf({ choices: 'resource, resources and pool' }),
    })
    .refine((to) => to.instructorOrgUserId === undefined || to.instructorOrgUserIds === undefined, {
      message: fieldErrors.givesOneOf({ choices: 'instructorOrgUserId and instructorOrgUserIds' }),
    })
    .refine((to) => Object.values(to).some((one) => one !== undefined), {
      message: fieldErrors.needs({
        choices: 'resource, resources, pool, instructorOrgUserId or instructorOrgUserIds',
      }),
    })
    .refine((to) => (to.resources?.length ?? 1) * (to.instructorOrgUserIds?.length ?? 1) <= MOST_CHOICES, {
      message: fieldErrors.fewerChoices({ limit: MOST_CHOICES }),
    }),
  changes: z.array(Change).min(1).max(MOST_BOOKINGS),
}

const Filter = z
  .object({
    ...requiredWindow,
    match: z
      .enum(['starts', 'overlaps'])
      .default('starts')
      .describe(
        '`starts`: the bookings that start in the window. `overlaps`: the future bookings that a closure over the window ' +
          'would affect: without maintenance, unless `types` names it, and with bookings whose resource is based at ' +
          '`locationId`',
      ),
    resourceId: FilterIds.optional(),
    locationId: FilterIds.optional(),
    orgUserId: FilterMembers.optional(),
    instructorOrgUserIds: FilterMembers.optional().describe('Only bookings with one of these instructors'),
    type: filterWords(reservationTypes).optional(),
    types: filterWords(reservationTypes).optional().describe('The same as `type`; give one of them'),
  })
  .refine(({ type, types }) => !(type && types), {
    path: ['types'],
    message: fieldErrors.givesOneOf({ choices: 'type and types' }),
  })

const BulkBody = z
  .object({
    ids: z.array(Id).min(1).max(MOST_BOOKINGS).optional(),
    filter: Filter.optional().describe('Selects the bookings of the window that are not cancelled'),
    action: z
      .object({
        cancel: actions.cancel.optional(),
        move: actions.move.optional(),
        reassign: actions.reassign.optional(),
        changes: actions.changes.optional().describe('One change per booking. Not together with `ids` or `filter`'),
      })
      .refine((action) => Object.values(action).filter((one) => one !== undefined).length === 1, {
        message: fieldErrors.needsOneOf({ choices: Object.keys(actions).join(', ') }),
      }),
    expectedCount: z
      .int()
      .min(0)
      .max(MOST_BOOKINGS)
      .optional()
      .describe(
        'The number of bookings that the dry run selected. The answer is 409 when the number has changed since',
      ),
    dryRun: z
      .boolean()
      .default(false)
      .describe(
        '`true` writes nothing: `done` means that the booking would be changed, and `result.expectedCount` is the number to send with the real request',
      ),
    atomic: z
      .boolean()
      .default(false)
      .describe(
        '`true` changes all bookings or none: when one is refused, the others are `unchanged` and `result.applied` is false',
      ),
    notify: z.boolean().default(true).describe('`false` notifies nobody'),
    overrides: OverridesInput,
  })
  .refine(({ ids, filter, action }) => [ids, filter, action.changes].filter((one) => one !== undefined).length === 1, {
    path: ['ids'],
    message: fieldErrors.givesOneOf({ choices: 'ids, filter and action.changes' }),
  })

type Body = z.output<typeof BulkBody>

/** Returns a body as the input of the use case. */
function toBulk({ ids, filter, action, expectedCount, ...rest }: Body, actor: Actor): NewBulk {
  const selected = ids ?? action.changes?.map(({ id }) => id) ?? []
  return {
    ...rest,
    overrides: [...(rest.overrides ?? [])],
    expectedCount: expectedCount ?? null,
    action: toAction(action),
    hasChoices: action.reassign?.resources !== undefined,
    selection: filter ? selectionOf(filter, actor) : { ids: selected },
  }
}

function selectionOf(filter: NonNullable<Body['filter']>, actor: Actor): BulkSelection {
  const { match, resourceId, locationId, orgUserId, instructorOrgUserIds, type, types = type } = filter
  return {
    ...windowOf(filter, actor, { within: 'filter' }),
    match,
    resourceIds: resourceId,
    locationIds: locationId,
    orgUserIds: membersOf(orgUserId, actor),
    instructorOrgUserIds: membersOf(instructorOrgUserIds, actor),
    types,
  }
}

function toAction({ cancel, move, reassign, changes = [] }: Body['action']): BulkAction {
  if (cancel) return { cancel }
  if (move) return { move }
  if (reassign) {
    const { resource, resources, pool, instructorOrgUserId, instructorOrgUserIds } = reassign
    const resourceIds = (resource ? [resource] : resources)?.map(({ id }) => id)
    return { reassign: { resourceIds, pool, instructorOrgUserId, instructorOrgUserIds } }
  }
  return {
    changes: changes.map(({ id, start, end, resource, personnel }) => {
      const seats = seatsOf(personnel ?? {})
      const given = seatSides.filter((side) => personnel?.[side] !== undefined)
      return {
        id,
        start: start?.toISOString(),
        end: end?.toISOString(),
        resourceId: resource === null ? null : resource?.id,
        sides: given.map((side) => ({ side, seats: seats.filter((seat) => seat.side === side) })),
      }
    }),
  }
}

/** The endpoint of bulk operations on bookings. Implements interface §Reservations. */
export const bulkRoutes: Routes = (on) => {
  on.post('/reservations/bulk', {
    id: 'changeReservationsInBulk',
    access: deskStaff,
    tag: 'Reservations',
    rateLimit: { account: 'bulks' },
    summary: 'Cancel, move or reassign many bookings at once',
    description:
      'Starts an operation and returns it. The row of each booking says `done`, `refused` or `unchanged`, and the ' +
      'place of the booking before and after. Each booking is checked as if it were changed alone, in the order of ' +
      'the starts. The bookings leave their old slots before any of them takes a new one, so two bookings can ' +
      'exchange their aircraft. Each person concerned is notified once, of all their bookings. Owners and admins ' +
      'are notified of more than 50 cancellations, and of more than 10 changes with `notify: false`. The bulk ' +
      'operations of an organization run one after another.',
    body: BulkBody,
    answers: { 202: envelope(Operation) },
    errors: [
      workflowsErrors.bulkTooLarge,
      fleetErrors.unknownBooking,
      workflowsErrors.selectionChanged,
      identityErrors.unknownMember,
      identityErrors.lacksRole,
      fleetErrors.unknownResource,
      fleetErrors.unknownPool,
      schedulingErrors.categoryUnknown,
      platformErrors.tooManyOperations,
    ],
    write: (tx, { actor, body }) => startBulk(tx, actor, toBulk(body, actor)),
    answer: async ({ id }, { db, actor }) =>
      accepted(operationView((await findOperation(db, { actor, kinds: ['reservation_bulk'] }, id))!)),
  })
}
