import { admins, type Rights } from './rights.ts'

/** Refused rows may hold what profiles say: for who started the import, and owners. */
const notTheirs = { admin: 404 } as const

export const portabilityRights: Rights[] = [
  { endpoint: 'GET /imports/templates/{kind}', who: admins, at: [{ text: 'members' }] },
  {
    endpoint: 'POST /imports',
    who: admins,
    body: () => ({ kind: 'locations', rows: [{ name: 'Reid-Hillview', airport: 'KRHV' }] }),
  },
  { endpoint: 'GET /imports/{id}/errors.csv', who: admins, but: notTheirs, at: ['import'] },
]
