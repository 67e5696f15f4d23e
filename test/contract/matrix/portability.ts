import { admins, type Rights } from './rights.ts'

export const portabilityRights: Rights[] = [
  { endpoint: 'GET /imports/templates/{kind}', who: admins, at: [{ text: 'members' }] },
  {
    endpoint: 'POST /imports',
    who: admins,
    body: () => ({ kind: 'locations', rows: [{ name: 'Reid-Hillview', airport: 'KRHV' }] }),
  },
  { endpoint: 'POST /exports', who: ['owner'], verified: true, body: () => ({}) },
  { endpoint: 'POST /exports/{id}/download', who: ['owner'], verified: true, at: ['exported'], body: () => ({}) },
  { endpoint: 'GET /imports/{id}/errors.csv', who: admins, at: ['import'] },
]
