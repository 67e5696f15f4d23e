import { roles } from '../../../src/shared/authz/roles.ts'
import type { TestApp } from '../../support/app.ts'
import {
  buildLocation,
  buildMember,
  buildPlane,
  buildRoom,
  buildSchool,
  type Member,
  type School,
} from '../../support/builders.ts'
import { bookDual, closedOutFlight, fly, must, setRates } from '../../support/flights.ts'
import { buildGuest, buildInvoice, buildNotification } from '../../support/records.ts'

/** One record of every kind in a school, for paths and bodies to name. Where it is somebody's, it is the student's. */
export interface Records {
  school: School
  /** Has all seven roles, and a verified address. */
  everything: Member
  /** A student whom nobody else needs. */
  pupil: Member
  organization: number
  pupilAccount: number
  pupilMember: number
  location: number
  group: number
  guest: number
  timeOff: number
  invitation: number
  joinRequest: number
  plane: number
  /** Not booked by anybody. */
  sparePlane: number
  room: number
  file: number
  /** Dual flights of the school's instructor and student, at each stage. */
  booked: number
  rampedOut: number
  rampedIn: number
  signedOff: number
  invoice: number
  notification: number
  /** An id that no record has. */
  missing: number
}

/** The names of records that are an id. */
export type RecordName = {
  [Name in keyof Records]: Records[Name] extends number ? Name : never
}[keyof Records]

/** Builds a school and its records, through the interface where it is short. */
export async function buildRecords(api: TestApp): Promise<Records> {
  const school = await buildSchool(api)
  const { organizationId, admin, student } = school
  await setRates(api, school)
  const everything = await buildMember(api, organizationId, [...roles])
  const pupil = await buildMember(api, organizationId, ['student'])
  const post = async (url: string, body: unknown) => (await must<{ id: number }>(api, admin, 'POST', url, body)).id
  return {
    school,
    everything,
    pupil,
    organization: organizationId,
    pupilAccount: pupil.accountId,
    pupilMember: pupil.orgUserId,
    location: (await buildLocation(api, organizationId)).id,
    group: await post('/groups', { name: 'Private pilots', orgUserIds: [student.orgUserId] }),
    guest: await buildGuest(api, school, 'gia@example.com'),
    timeOff: await timeOffOf(api, student),
    invitation: await invitationOf(api, admin),
    joinRequest: await joinRequestOf(api, school),
    plane: school.plane.id,
    sparePlane: (await buildPlane(api, school)).id,
    room: (await buildRoom(api, school)).id,
    file: await fileOn(api, school),
    ...(await flightsOf(api, school)),
    invoice: await buildInvoice(api, school, { payer: student }),
    notification: await buildNotification(api, student),
    missing: 2_000_000_000,
  }
}

async function flightsOf(api: TestApp, school: School) {
  const on = (day: number) => ({ start: `2026-12-${day}T10:00:00Z`, end: `2026-12-${day}T12:00:00Z` })
  const signedOff = await closedOutFlight(api, school, on(11))
  const rampedIn = await bookDual(api, school, on(12))
  await fly(api, school, rampedIn)
  const rampedOut = await bookDual(api, school, on(13))
  const readings = { hobbsTimeOut: 1002.8, tachTimeOut: 902.4 }
  await must(api, school.instructor, 'POST', `/reservations/${rampedOut}/rampOut`, readings)
  return { signedOff, rampedIn, rampedOut, booked: await bookDual(api, school, on(14)) }
}

async function timeOffOf(api: TestApp, member: Member): Promise<number> {
  const body = { start: '2027-01-04T00:00:00Z', end: '2027-01-05T00:00:00Z', reason: 'Skiing' }
  return (await must<{ id: number }>(api, member, 'POST', '/availability/timeOff', body)).id
}

async function invitationOf(api: TestApp, admin: Member): Promise<number> {
  const email = `invited.${admin.orgUserId}@example.com`
  await must(api, admin, 'POST', '/organizations/invite', { email, student: true })
  const [invitation] = await must<{ id: number }[]>(api, admin, 'GET', '/organizations/invitations')
  return invitation?.id ?? 0
}

async function joinRequestOf(api: TestApp, { organizationId }: School): Promise<number> {
  const { db } = api.core.database
  const stranger = await buildMember(api, organizationId, [])
  await db.deleteFrom('membership').where('id', '=', stranger.orgUserId).execute()
  const { id } = await db
    .insertInto('join_request')
    .values({ organization_id: organizationId, account_id: stranger.accountId })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function fileOn(api: TestApp, { admin, plane }: School): Promise<number> {
  const body = { category: 'poh', fileNames: ['handbook.pdf'] }
  const [file] = await must<{ id: number }[]>(api, admin, 'POST', `/resources/${plane.id}/files`, body)
  return file?.id ?? 0
}
