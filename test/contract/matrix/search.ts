import { members, type Rights } from './rights.ts'

export const searchRights: Rights[] = [
  { endpoint: 'GET /search', who: members, query: '?q=ana' },
  { endpoint: 'GET /weather/{station}', who: members, at: [{ text: 'KHWD' }] },
]
