import type { Records } from '../support/records.ts'
import { admins, desk, type Rights } from './rights.ts'

const aDay = '?startDate=2026-12-01T00:00:00Z&endDate=2026-12-02T00:00:00Z'

function flight({ plane, school }: Records) {
  return {
    name: 'Discovery flight',
    description: 'An hour over the bay',
    durationMinutes: 60,
    priceCents: 19_900,
    collectionStyle: 'prepaid_fixed',
    resourceIds: [plane],
    instructorOrgUserIds: [school.instructor.orgUserId],
    active: true,
  }
}

export const offeringRights: Rights[] = [
  { endpoint: 'GET /offerings', who: desk },
  { endpoint: 'POST /offerings', who: admins, body: flight },
  { endpoint: 'GET /offerings/{id}', who: desk, at: ['offering'] },
  { endpoint: 'PATCH /offerings/{id}', who: admins, at: ['offering'], body: flight },
  { endpoint: 'DELETE /offerings/{id}', who: admins, at: ['offering'] },
  {
    endpoint: 'POST /booking-requests/{id}/convert',
    who: desk,
    verified: true,
    at: ['guestRequest'],
    body: () => ({ role: 'student' }),
  },

  { endpoint: 'GET /public/organizations/{orgId}/offerings', who: 'anyone', at: ['listedOrganization'] },
  { endpoint: 'GET /public/offerings/{id}/openings', who: 'anyone', at: ['publicOffering'], query: aDay },
  {
    endpoint: 'POST /public/offerings/{id}/requests',
    who: 'anyone',
    at: ['publicOffering'],
    body: ({ publicPlane }) => ({
      name: 'Bo Lind',
      email: 'bo.lind@example.com',
      phone: '+1 510 555 0199',
      start: '2026-12-02T10:00:00Z',
      resource: { id: publicPlane },
    }),
  },
  { endpoint: 'POST /public/requests/confirm', who: 'anyone', body: ({ confirmToken: token }) => ({ token }) },
]
