import { admins, members, type Rights } from './rights.ts'

const details = { email: 'desk@example.com', phone: '+1 510 555 0100', address: { city: 'Hayward', country: 'US' } }
const address = { line1: '20301 Skywest Dr', city: 'Hayward', country: 'US' }
/** Six characters that no organization has: codes are made without look-alikes. */
const unknownCode = { text: 'O0O0O0' }

export const organizationRights: Rights[] = [
  { endpoint: 'GET /organizations', who: 'account' },
  {
    endpoint: 'POST /organizations',
    who: 'account',
    body: () => ({ name: 'Coast Aero Club', details, location: { name: 'Half Moon Bay', address } }),
  },
  { endpoint: 'GET /audit', who: admins },
  { endpoint: 'PATCH /organizations', who: admins, body: () => ({ about: 'Since 1986' }) },
  { endpoint: 'DELETE /organizations', who: ['owner'], spends: true },
  { endpoint: 'GET /organizations/directory', who: 'account' },
  { endpoint: 'GET /organizations/{orgId}', who: 'account', at: ['organization'] },
  { endpoint: 'POST /organizations/switch/{orgId}', who: 'account', at: ['organization'] },
  { endpoint: 'POST /organizations/join/{orgCode}', who: 'account', verified: true, at: [unknownCode] },
  {
    endpoint: 'POST /organizations/invite',
    who: admins,
    verified: true,
    body: () => ({ email: 'bo@example.com', name: 'Bo Lind', instructor: true }),
  },
  {
    endpoint: 'POST /organizations/invite',
    when: 'as a student',
    who: admins,
    desk: ['registrar'],
    verified: true,
    body: () => ({ email: 'sue@example.com', student: true }),
  },
  {
    endpoint: 'POST /organizations/invite',
    when: 'as an owner',
    who: ['owner'],
    verified: true,
    body: () => ({ email: 'ola@example.com', owner: true }),
  },
  { endpoint: 'GET /organizations/invitations', who: admins },
  { endpoint: 'GET /organizations/invitations/{id}', who: admins, at: ['invitation'] },
  { endpoint: 'DELETE /organizations/invitations/{id}', who: admins, at: ['invitation'] },
  {
    endpoint: 'POST /organizations/invitations/lookup',
    who: 'anyone',
    body: ({ invitationToken: token }) => ({ token }),
  },
  {
    endpoint: 'POST /organizations/invitations/accept',
    who: 'account',
    body: ({ invitationToken: token }) => ({ token }),
    by: 'stranger',
  },
  { endpoint: 'GET /organizations/joinRequests', who: admins },
  { endpoint: 'GET /organizations/joinRequests/{id}', who: admins, at: ['joinRequest'] },
  {
    endpoint: 'POST /organizations/joinRequests/{id}/approve',
    who: admins,
    at: ['joinRequest'],
    body: () => ({ renter: true }),
  },
  {
    endpoint: 'POST /organizations/joinRequests/{id}/approve',
    when: 'as an owner',
    who: ['owner'],
    at: ['ownerRequest'],
    body: () => ({ owner: true }),
  },
  { endpoint: 'POST /organizations/joinRequests/{id}/decline', who: admins, at: ['joinRequest'] },

  { endpoint: 'GET /groups', who: members },
  {
    endpoint: 'POST /groups',
    who: admins,
    body: ({ pupilMember }) => ({ name: 'Instrument, autumn', orgUserIds: [pupilMember] }),
  },
  { endpoint: 'GET /groups/{id}', who: members, at: ['group'] },
  { endpoint: 'PATCH /groups/{id}', who: admins, at: ['group'], body: () => ({ description: 'Evenings' }) },
  { endpoint: 'DELETE /groups/{id}', who: admins, at: ['group'] },
  {
    endpoint: 'PUT /groups/{id}/members',
    who: admins,
    at: ['group'],
    body: ({ pupilMember }) => ({ orgUserIds: [pupilMember] }),
  },

  { endpoint: 'GET /locations', who: members },
  {
    endpoint: 'POST /locations',
    who: admins,
    body: () => ({ name: 'Livermore', airportIdentifier: 'KLVK', timeZoneName: 'America/Los_Angeles', address }),
  },
  { endpoint: 'GET /locations/{id}', who: members, at: ['location'] },
  { endpoint: 'PATCH /locations/{id}', who: admins, at: ['location'], body: () => ({ name: 'Livermore Municipal' }) },
  { endpoint: 'DELETE /locations/{id}', who: admins, at: ['location'] },
]
