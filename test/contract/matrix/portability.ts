import { admins, members, type Rights } from './rights.ts'

export const portabilityRights: Rights[] = [
  { endpoint: 'GET /imports/templates/{kind}', who: admins, at: [{ text: 'members' }] },
  {
    endpoint: 'POST /imports',
    who: admins,
    body: () => ({ kind: 'locations', rows: [{ name: 'Reid-Hillview', airport: 'KRHV' }] }),
  },
  { endpoint: 'POST /exports', who: ['owner'], verified: true, body: () => ({}) },
  { endpoint: 'POST /users/export', who: 'account', verified: true, body: () => ({}) },
  {
    endpoint: 'POST /exports/{id}/download',
    who: members,
    but: { admin: 403, dispatcher: 404, instructor: 404, student: 404, renter: 404, technician: 404 },
    verified: true,
    at: ['exported'],
    body: () => ({}),
  },
  {
    endpoint: 'POST /exports/{id}/download',
    when: 'about oneself',
    who: members,
    but: { owner: 404, admin: 404, dispatcher: 404, instructor: 404, student: 404, renter: 404, technician: 404 },
    verified: true,
    at: ['aboutPerson'],
    body: () => ({}),
  },
  { endpoint: 'GET /imports/{id}/errors', who: admins, at: ['import'] },
]
