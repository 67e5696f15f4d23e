import { admins, desk, members, type Rights, staff } from './rights.ts'

const ofTheStudent = { instructor: 403, renter: 403, technician: 403 } as const
const absence = { start: '2027-02-01T00:00:00Z', end: '2027-02-02T00:00:00Z' }

export const memberRights: Rights[] = [
  { endpoint: 'GET /users', who: members },
  { endpoint: 'PATCH /users', who: 'account', body: () => ({ name: 'Ana Ruiz', phone: '+1 510 555 0101' }) },
  { endpoint: 'DELETE /users', who: 'account', spends: true },
  { endpoint: 'GET /users/{id}', who: members, at: ['pupilAccount'] },
  { endpoint: 'GET /users/{userId}/roles', who: admins, at: ['pupilAccount'] },
  {
    endpoint: 'PATCH /users/{userId}/roles',
    who: admins,
    at: ['pupilAccount'],
    body: () => ({ student: true, renter: true }),
  },
  {
    endpoint: 'PATCH /users/{userId}/roles',
    when: 'to make an owner',
    who: ['owner'],
    at: ['pupilAccount'],
    body: () => ({ owner: true, admin: true }),
  },
  {
    endpoint: 'PATCH /users/{userId}/roles',
    when: 'of an owner, leaving the flag out',
    who: ['owner'],
    at: ['ownerAccount'],
    body: () => ({ admin: true }),
  },
  { endpoint: 'GET /approvals', who: members },
  {
    endpoint: 'POST /approvals',
    who: admins,
    body: ({ school, sparePlane }) => ({ orgUserId: school.renter.orgUserId, resourceId: sparePlane }),
  },
  { endpoint: 'DELETE /approvals/{id}', who: admins, at: ['approval'] },
  { endpoint: 'GET /users/{userId}/approvedResources', who: members, at: ['pupilAccount'] },
  { endpoint: 'GET /users/availability', who: members },
  {
    endpoint: 'PATCH /users/availability',
    who: members,
    body: () => ({ availability: [{ dayOfWeek: 7, startMinute: 0, endMinute: 1440 }] }),
  },
  { endpoint: 'GET /guests', who: staff },
  { endpoint: 'GET /guests/{id}', who: staff, at: ['guest'] },

  { endpoint: 'GET /orgUsers', who: members },
  { endpoint: 'GET /grants', who: members },
  {
    endpoint: 'POST /grants',
    who: admins,
    body: ({ school }) => ({ orgUserId: school.instructor.orgUserId, grant: 'registrar' }),
  },
  { endpoint: 'DELETE /grants/{id}', who: admins, at: ['deskGrant'] },
  { endpoint: 'POST /orgUsers', who: admins, desk: ['registrar'], body: () => ({ name: 'Mia Managed' }) },
  {
    endpoint: 'POST /orgUsers',
    when: 'with another role',
    who: admins,
    body: () => ({ name: 'Tia Technician', technician: true }),
  },
  {
    endpoint: 'POST /orgUsers/{id}/merge',
    who: admins,
    at: ['managedMember'],
    body: ({ pupil }) => ({ intoOrgUserId: pupil.orgUserId, dryRun: true }),
  },
  {
    endpoint: 'POST /orgUsers/{id}/merge/accept',
    who: members,
    at: ['mergedMember'],
    by: 'student',
    but: { owner: 404, admin: 404, dispatcher: 404, instructor: 404, renter: 404, technician: 404 },
  },
  { endpoint: 'GET /orgUsers/{id}', who: members, at: ['pupilMember'] },
  { endpoint: 'PATCH /orgUsers/{id}', who: admins, at: ['pupilMember'], body: () => ({ billingMode: 'ledger' }) },
  {
    endpoint: 'PATCH /orgUsers/{id}',
    when: 'with contacts of a managed member',
    who: admins,
    desk: ['registrar'],
    at: ['managedMember'],
    body: () => ({ phone: '+1 510 555 0188' }),
  },
  { endpoint: 'DELETE /orgUsers/{id}', who: admins, at: ['pupilMember'] },
  { endpoint: 'DELETE /orgUsers/{id}', when: 'of an owner', who: ['owner'], at: ['ownerMember'] },
  {
    endpoint: 'POST /orgUsers/{id}/erase',
    who: ['owner'],
    at: ['mergedMember'],
    body: () => ({ reason: 'Asked for it' }),
  },
  { endpoint: 'GET /orgUsers', when: 'of former members', who: ['owner'], query: '?removed=true' },
  { endpoint: 'GET /orgUsers', when: 'of an instructor', who: staff, query: '?instructorOrgUserId=me' },
  { endpoint: 'GET /orgUsers/{id}/availability', who: members, at: ['pupilMember'] },
  {
    endpoint: 'PATCH /orgUsers/{id}/availability',
    who: desk,
    at: ['pupilMember'],
    body: () => ({ availability: [{ dayOfWeek: 7, startMinute: 0, endMinute: 1440 }] }),
  },

  {
    endpoint: 'GET /orgUsers/{id}/profile',
    desk: ['registrar'],
    who: members,
    but: { student: 403, renter: 403, technician: 403 },
    at: ['pupilMember'],
  },
  {
    endpoint: 'PATCH /orgUsers/{id}/profile',
    desk: ['registrar'],
    who: members,
    but: { dispatcher: 403, instructor: 403, student: 403, renter: 403, technician: 403 },
    at: ['pupilMember'],
    body: () => ({ birthDate: '1988-04-17', weightPounds: 165 }),
  },

  {
    endpoint: 'GET /orgUsers/{id}/minimums',
    who: members,
    but: { student: 403, renter: 403, technician: 403 },
    at: ['pupilMember'],
  },
  {
    endpoint: 'PUT /orgUsers/{id}/minimums',
    who: ['owner', 'admin', 'instructor'],
    at: ['pupilMember'],
    body: () => ({ ceilingFeet: 3_000, visibilityMiles: 5 }),
  },

  { endpoint: 'GET /availability/timeOff', who: members },
  { endpoint: 'POST /availability/timeOff', who: members, body: () => absence },
  {
    endpoint: 'POST /availability/timeOff',
    when: 'of somebody else',
    who: desk,
    body: ({ pupilMember }) => ({ ...absence, orgUserId: pupilMember }),
  },
  { endpoint: 'DELETE /availability/timeOff/{id}', who: members, but: ofTheStudent, at: ['timeOff'] },
]
