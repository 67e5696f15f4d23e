import type { Rights } from './rights.ts'

export const serviceRights: Rights[] = [
  { endpoint: 'GET /', who: 'anyone' },
  { endpoint: 'GET /health', who: 'anyone' },
  { endpoint: 'GET /health/ready', who: 'anyone' },
  { endpoint: 'GET /health/live', who: 'anyone' },
  { endpoint: 'POST /webhooks/stripe', who: 'anyone', body: () => ({}) },
  { endpoint: 'POST /uploads', who: 'anyone' },
  {
    endpoint: 'GET /uploads/{organizationId}/{name}',
    who: 'anyone',
    at: [{ text: '1' }, { text: 'x.pdf' }],
    query: '?fileName=x.pdf&expires=1&signature=x',
    stranger: 403,
  },
]
