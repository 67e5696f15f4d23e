import { admins, members, type Rights, staff } from './rights.ts'

/** A view that the admin shares. */
const notTheirs = { dispatcher: 403, instructor: 403 } as const

export const reportRights: Rights[] = [
  { endpoint: 'GET /reports/utilization', who: staff },
  { endpoint: 'GET /reports/instructors', who: staff },
  { endpoint: 'GET /reports/students', who: staff },
  { endpoint: 'GET /reports/revenue', who: staff },
  { endpoint: 'GET /reports/receivables', who: staff },
  { endpoint: 'GET /reports/balances', who: admins, desk: ['cashier'] },
  { endpoint: 'GET /reports/payments', who: admins, desk: ['cashier'] },
  { endpoint: 'GET /reports/instructorPay', who: admins },
  { endpoint: 'GET /reports/cancellations', who: staff },
  { endpoint: 'GET /reports/maintenance', who: [...staff, 'technician'] },
  { endpoint: 'GET /reports/training-mismatch', who: staff },
  { endpoint: 'GET /reports/currencies', who: staff },
  { endpoint: 'GET /reports/insurance', who: staff },
  { endpoint: 'GET /reports/tests', who: staff },
  { endpoint: 'GET /reports/stalled', who: members },
  { endpoint: 'GET /reports/views', who: staff },
  {
    endpoint: 'POST /reports/views',
    who: staff,
    body: () => ({ name: 'Last month', report: 'revenue', parameters: { period: 'last_month' } }),
  },
  { endpoint: 'GET /reports/views/{id}', who: staff, at: ['reportView'] },
  { endpoint: 'GET /reports/views/{id}/run', who: staff, at: ['reportView'] },
  {
    endpoint: 'PATCH /reports/views/{id}',
    who: staff,
    but: notTheirs,
    at: ['reportView'],
    body: () => ({ name: 'This month' }),
  },
  { endpoint: 'DELETE /reports/views/{id}', who: staff, but: notTheirs, at: ['reportView'] },
]
