import { admins, type Rights, staff } from './rights.ts'

export const reportRights: Rights[] = [
  { endpoint: 'GET /reports/utilization', who: staff },
  { endpoint: 'GET /reports/instructors', who: staff },
  { endpoint: 'GET /reports/students', who: staff },
  { endpoint: 'GET /reports/revenue', who: staff },
  { endpoint: 'GET /reports/revenue', when: 'as a chart', who: admins, query: 'format=svg' },
  { endpoint: 'GET /reports/receivables', who: staff },
  { endpoint: 'GET /reports/cancellations', who: staff },
  { endpoint: 'GET /reports/maintenance', who: staff },
]
