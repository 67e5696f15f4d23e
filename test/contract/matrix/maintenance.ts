import { admins, members, type Rights, staff } from './rights.ts'

const maintainers = [...admins, 'technician'] as const
/** The student reported it. */
const reporterToo = { dispatcher: 403, instructor: 403, renter: 403 } as const

export const maintenanceRights: Rights[] = [
  { endpoint: 'GET /maintenance/squawks', who: members },
  {
    endpoint: 'POST /maintenance/squawks',
    who: members,
    body: ({ plane, booked }) => ({ resource: { id: plane }, title: 'Left brake drags', reservationId: booked }),
  },
  { endpoint: 'GET /maintenance/squawks/{id}', who: members, at: ['squawk'] },
  {
    endpoint: 'PATCH /maintenance/squawks/{id}',
    who: members,
    but: reporterToo,
    at: ['squawk'],
    body: () => ({ description: 'Only when cold' }),
  },
  {
    endpoint: 'POST /maintenance/squawks/{id}/resolve',
    who: maintainers,
    at: ['squawk'],
    body: () => ({ resolution: 'Caliper replaced' }),
  },
  {
    endpoint: 'POST /maintenance/squawks/{id}/files',
    who: members,
    but: reporterToo,
    at: ['squawk'],
    body: () => ({ fileNames: ['brake.jpg'] }),
  },
  {
    endpoint: 'DELETE /maintenance/squawks/{id}/files/{fileId}',
    who: members,
    but: reporterToo,
    at: ['squawk', 'squawkFile'],
  },
  { endpoint: 'GET /resources/{id}/status', who: members, at: ['plane'] },
  { endpoint: 'GET /maintenance/forecast', who: [...staff, 'technician'] },
  {
    endpoint: 'GET /maintenance/slots',
    who: [...staff, 'technician'],
    query: ({ plane }) => `?resourceId=${plane}&hours=4&startDate=2026-12-01&endDate=2026-12-02`,
  },
  {
    endpoint: 'POST /resources/{id}/meterChange',
    who: maintainers,
    at: ['sparePlane'],
    body: () => ({ meter: 'tach', oldReading: 900, newReading: 0, reason: 'Replaced' }),
  },
  { endpoint: 'GET /maintenance/reminders', who: members },
  {
    endpoint: 'POST /maintenance/reminders',
    who: maintainers,
    body: ({ plane }) => ({ resource: { id: plane }, name: 'Annual', basis: 'calendar', intervalMonths: 12 }),
  },
  {
    endpoint: 'POST /maintenance/reminders/copy',
    who: maintainers,
    body: ({ plane, sparePlane }) => ({ fromResourceId: plane, toResourceIds: [sparePlane] }),
  },
  { endpoint: 'GET /maintenance/reminders/{id}', who: members, at: ['reminder'] },
  {
    endpoint: 'PATCH /maintenance/reminders/{id}',
    who: maintainers,
    at: ['reminder'],
    body: () => ({ warnDays: 14 }),
  },
  { endpoint: 'DELETE /maintenance/reminders/{id}', who: maintainers, at: ['reminder'] },
  {
    endpoint: 'POST /maintenance/reminders/{id}/complete',
    who: maintainers,
    at: ['reminder'],
    body: () => ({ notes: 'No findings' }),
  },
  { endpoint: 'GET /maintenance/reminders/{id}/history', who: members, at: ['reminder'] },
  {
    endpoint: 'DELETE /maintenance/completions/{id}',
    who: admins,
    at: ['completion'],
    body: () => ({ reason: 'Typing error' }),
  },
]
