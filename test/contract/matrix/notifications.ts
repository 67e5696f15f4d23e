import { members, type Rights } from './rights.ts'

const notTheirs = { owner: 403, admin: 403, dispatcher: 403, instructor: 403, renter: 403, technician: 403 } as const

export const notificationRights: Rights[] = [
  { endpoint: 'GET /notifications', who: members },
  { endpoint: 'POST /notifications', who: members },
  { endpoint: 'PATCH /notifications', who: 'account', body: () => ({ token: 'device-1' }) },
  { endpoint: 'POST /notifications/{notificationId}', who: members, but: notTheirs, at: ['notification'] },
  { endpoint: 'GET /notifications/preferences', who: members },
  {
    endpoint: 'PATCH /notifications/preferences',
    who: members,
    body: () => ({ preferences: [{ kind: 'invoice_raised', email: false }] }),
  },
]
