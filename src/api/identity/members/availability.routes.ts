import { z } from 'zod'
import { identityErrors } from '../../../shared/identity/identity.errors.ts'
import { addTimeOff, deleteTimeOff } from '../../../shared/identity/members/add-time-off.ts'
import { findAvailability, findTimeOff, listTimeOff } from '../../../shared/identity/members/availability.queries.ts'
import type { PatternItem } from '../../../shared/identity/members/availability.rules.ts'
import { replaceAvailability, replaceAvailabilityOf } from '../../../shared/identity/members/replace-availability.ts'
import { deskStaff } from '../../../shared/platform/authz/roles.ts'
import type { Db } from '../../../shared/platform/db/database.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { findRecoveryRequest } from '../../../shared/scheduling/recoveries/find-recovery-request.ts'
import { type Answer, created, done, ok, page } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { type ListParameters, ListQuery, listOf, listPage } from '../../http/lists.ts'
import { envelope, IdParams, membersOf } from '../../http/schemas.ts'
import { windowOf } from '../../http/windows.ts'
import { Availability, NewTimeOff, TimeOff, timeOffView } from './availability.view.ts'
import { AvailabilityBody, TimeOffBody, TimeOffQuery } from './members.schemas.ts'

const tag = 'Members'

/** Answers a page of a member's weekly pattern. */
export async function answerPattern(
  db: Db,
  organizationId: number,
  orgUserId: number,
  query: ListParameters,
): Promise<Answer> {
  const pattern = await findAvailability(db, organizationId, orgUserId)
  const minuteOfWeek = ({ dayOfWeek, startMinute }: PatternItem) => dayOfWeek * 1440 + startMinute
  return page(await listPage(listOf(pattern, minuteOfWeek), query, (item) => item))
}

export const availabilityRoutes: Routes = (on) => {
  on.get('/users/availability', {
    id: 'readOwnAvailability',
    access: 'member',
    tag,
    summary: 'Read your own weekly availability',
    description:
      'Returns the times of the week at which the caller is available, in minutes after local midnight in the ' +
      'organization’s time zone. An empty list: always available.',
    query: ListQuery,
    answers: { 200: envelope(z.array(Availability)) },
    read: ({ db, actor, query }) => answerPattern(db, actor.organizationId, actor.orgUserId, query),
  })

  on.patch('/users/availability', {
    id: 'replaceOwnAvailability',
    access: 'member',
    tag,
    summary: 'Replace your own weekly availability',
    description:
      'Replaces the whole pattern. Items of one day may follow each other directly but must not overlap. Existing ' +
      'bookings stay.',
    body: AvailabilityBody,
    answers: { 200: envelope(z.array(Availability)) },
    errors: [identityErrors.intervalReversed, identityErrors.intervalOverlaps, platformErrors.availabilityOverlaps],
    write: (tx, { actor, body }) => replaceAvailability(tx, actor, body.availability),
    answer: async (_, { db, actor }) => ok(await findAvailability(db, actor.organizationId, actor.orgUserId)),
  })

  on.patch('/orgUsers/:id/availability', {
    id: 'replaceMemberAvailability',
    access: deskStaff,
    tag,
    summary: 'Replace a member’s weekly availability',
    description:
      'Replaces the whole pattern. Items of one day may follow each other directly but must not overlap. Existing ' +
      'bookings stay.',
    params: IdParams,
    body: AvailabilityBody,
    answers: { 200: envelope(z.array(Availability)) },
    errors: [identityErrors.intervalReversed, identityErrors.intervalOverlaps, platformErrors.availabilityOverlaps],
    write: (tx, { actor, params, body }) => replaceAvailabilityOf(tx, actor, params.id, body.availability),
    answer: async ({ id }, { db, actor }) => ok(await findAvailability(db, actor.organizationId, id)),
  })

  on.get('/availability/timeOff', {
    id: 'listTimeOff',
    access: 'member',
    tag,
    summary: 'List time off',
    description:
      'Lists the time off of all members, by start. `orgUserId` selects members; `startDate` and `endDate` ' +
      'select the entries that overlap the window. Only the member and desk staff see the reason.',
    query: TimeOffQuery,
    answers: { 200: envelope(z.array(TimeOff)) },
    read: async ({ db, actor, query }) => {
      const { start: from, end: to } = windowOf(query, actor)
      const absences = listTimeOff(db, actor, { orgUserIds: membersOf(query.orgUserId, actor), from, to })
      return page(await listPage(absences, query, (row) => timeOffView(row, actor)))
    },
  })

  on.post('/availability/timeOff', {
    id: 'createTimeOff',
    access: 'member',
    tag,
    summary: 'Record time off',
    description:
      'Records a time at which a member cannot be booked. Desk staff may record it for another member with ' +
      '`orgUserId`. Existing bookings stay.',
    body: TimeOffBody,
    answers: { 201: envelope(NewTimeOff) },
    errors: [
      identityErrors.unknownMember,
      identityErrors.lacksRole,
      identityErrors.endBeforeStart,
      identityErrors.timeOffOfOthers,
    ],
    write: (tx, { actor, body }) => addTimeOff(tx, actor, body),
    answer: async ({ id }, { db, actor, now }) => {
      const row = await findTimeOff(db, actor.organizationId, id)
      const away = { start: row.starts_at, end: row.ends_at }
      const offered = await findRecoveryRequest(db, actor, now, { instructorOrgUserIds: [row.membership_id] }, away)
      return created({ ...timeOffView(row, actor), ...offered })
    },
  })

  on.delete('/availability/timeOff/:id', {
    id: 'deleteTimeOff',
    access: 'member',
    tag,
    summary: 'Delete time off',
    description: 'Deletes one entry. Members delete their own entries, desk staff those of any member.',
    params: IdParams,
    answers: { 204: null },
    errors: [[platformErrors.notAllowed, 'the entry of another member, and the caller is not desk staff']],
    write: (tx, { actor, params }) => deleteTimeOff(tx, actor, params.id),
    answer: () => done(),
  })
}
