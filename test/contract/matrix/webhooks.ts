import { admins, type Rights } from './rights.ts'

export const webhookRights: Rights[] = [
  { endpoint: 'GET /webhooks', who: admins },
  {
    endpoint: 'POST /webhooks',
    who: admins,
    verified: true,
    body: () => ({ url: 'https://hooks.example.com/', events: ['squawk.opened'] }),
  },
  { endpoint: 'GET /webhooks/{id}', who: admins, at: ['webhook'] },
  { endpoint: 'PATCH /webhooks/{id}', who: admins, verified: true, at: ['webhook'], body: () => ({ active: true }) },
  { endpoint: 'POST /webhooks/{id}/rotate', who: admins, verified: true, at: ['webhook'], body: () => ({}) },
  { endpoint: 'POST /webhooks/{id}/test', who: admins, verified: true, at: ['webhook'] },
  {
    endpoint: 'POST /webhooks/{id}/replay',
    who: admins,
    verified: true,
    at: ['webhook'],
    body: () => ({ startDate: '2026-11-21T00:00:00Z' }),
  },
  { endpoint: 'GET /webhooks/{id}/deliveries', who: admins, at: ['webhook'] },
  { endpoint: 'DELETE /webhooks/{id}', who: admins, at: ['webhook'] },
]
