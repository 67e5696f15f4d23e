import type { SeededSchool } from './seed-school.ts'

/** One request to measure in a school. */
export interface ScaleRequest {
  name: string
  path: string
  as: 'admin' | 'student'
  /** The most milliseconds that the median may be in a school of a million bookings; null: no aim. */
  aimMs: number | null
  /** The window of a request that sums invoices. The request reads each invoice created in the window, and answers one row. */
  sums?: { start: Date; end: Date }
}

const DAY_MS = 86_400_000
/** Returns the query parameters of a window that starts `from` days and ends `to` days before an instant. */
export const days = (until: Date, from: number, to: number): string =>
  `startDate=${at(until, from).toISOString()}&endDate=${at(until, to).toISOString()}`
/** Returns the instant `ago` days before another. */
export const at = (until: Date, ago: number): Date => new Date(until.getTime() - ago * DAY_MS)

/** Windows end this many days before the last booking, so that they lie in the past, where flights are billed. */
export const PAST = 77

/** Returns the requests to measure in each school. */
export function scaleRequests({ until, instructor, student }: SeededSchool): ScaleRequest[] {
  const week = days(until, PAST + 7, PAST)
  const quarter = days(until, PAST + 91, PAST)
  const year = days(until, PAST + 365, PAST)
  const decade = days(until, 3_700, 0)
  const admin = (name: string, path: string, aimMs: number | null = null): ScaleRequest => ({
    name,
    path,
    as: 'admin',
    aimMs,
  })
  const own = (...args: Parameters<typeof admin>): ScaleRequest => ({ ...admin(...args), as: 'student' })
  return [
    admin('a week', `/reservations?${week}`, 100),
    admin('a week, a page of 100', `/reservations?${week}&limit=100`, 30),
    admin('a week, q of a name', `/reservations?${week}&q=maria`, 150),
    admin('a week, q of a title', `/reservations?${week}&q=checkride`, 150),
    admin('a year, q of a name', `/reservations?${year}&q=maria&limit=100`, 150),
    admin('a year, q of a title', `/reservations?${year}&q=checkride&limit=100`, 150),
    admin('a year, q of notes', `/reservations?${year}&q=headset&limit=100`, 150),
    admin('a year, q of nothing', `/reservations?${year}&q=zzyzx`, 150),
    admin('ten years, q of a name', `/reservations?${decade}&q=maria&limit=100`),
    admin('ten years, q of a title', `/reservations?${decade}&q=checkride&limit=100`),
    admin('ten years, q of one person', `/reservations?${decade}&q=lopez+13&limit=100`),
    admin('ten years, q of nothing', `/reservations?${decade}&q=zzyzx`),
    own('own notes, a year', `/reservations?${year}&q=headset&limit=100`, 150),
    admin('a quarter by title', `/reservations?${quarter}&sort=title&limit=100`, 300),
    admin('a quarter by aircraft', `/reservations?${quarter}&sort=resource.name&limit=100`, 300),
    admin('what an admin has to do', '/todo/me?limit=100'),
    admin('what an instructor has to do', `/todo?orgUserId=${instructor.membershipId}&limit=100`),
    own('what a student has to do', '/todo/me?limit=100'),
    admin('students in training', '/training/students?limit=100'),
    admin('ten years', `/reservations?${decade}&limit=100`),
    admin('uninvoiced, ten years', `/reservations?${decade}&uninvoiced=true&limit=100`),
    admin('uninvoiced, a year', `/reservations?${year}&uninvoiced=true&limit=100`),
    admin('one type, ten years', `/reservations?${decade}&type=rental&limit=100`),
    admin('one type, a week', `/reservations?${week}&type=rental,maintenance&limit=100`),
    admin('cancelled, ten years', `/reservations?${decade}&status=cancelled&limit=100`),
    admin('out, ten years', `/reservations?${decade}&status=ramped_out&limit=100`),
    admin('signed and not billed, a year', `/reservations?${year}&status=signed_off,ramped_in&limit=100`),
    admin('seats of one person, ten years', `/reservations?${decade}&orgUserId=${student.membershipId}&limit=100`),
    admin(
      'an instructor, ten years',
      `/reservations?${decade}&instructorOrgUserId=${instructor.membershipId}&limit=100`,
    ),
    admin('one person, ten years', `/reservations/user/${student.accountId}?${decade}&limit=100`),
    admin('openings of two weeks', `/reservations/openings?${days(until, 14, 0)}&durationMinutes=120&type=dual`, 100),
    admin('members by name', '/orgUsers?sort=user.name&limit=100', 200),
    admin('members in their own order', '/orgUsers?limit=100', 200),
    admin('members, q', '/orgUsers?q=maria+lopez&limit=100', 200),
    admin('members, q of an address', '/orgUsers?q=m12.&limit=100', 200),
    admin('users, a page', '/users?limit=100', 200),
    admin('guests, q', '/guests?q=olga&limit=100'),
    admin('guests', '/guests?limit=100'),
    admin('invoices', '/invoices?limit=100'),
    admin('invoices, q of a name', '/invoices?q=maria&limit=100'),
    admin('invoices, q of a memo', '/invoices?q=flight+77&limit=100'),
    admin('invoices, q of nothing', '/invoices?q=zzyzx'),
    {
      ...admin('invoices, a quarter, summed', `/invoices/summary?${quarter}`),
      sums: { start: at(until, PAST + 91), end: at(until, PAST) },
    },
    admin('notifications', '/notifications?limit=100'),
    admin('notifications, unread', '/notifications?status=unread&limit=100'),
    admin('notifications, q', '/notifications?q=checkride&limit=100'),
    admin('audit', '/audit?limit=100'),
    admin('audit by action', '/audit?action=invoice.paid&limit=100'),
    admin('enrollments', '/training/enrollments?limit=100'),
    admin('endorsements', '/training/endorsements?limit=100'),
    admin('documents', '/documents?limit=100'),
    admin('aircraft', '/resources/aircraft?limit=100'),
    admin('report of utilization, a week', `/reports/utilization?${week}`),
    admin('report of instructors, a week', `/reports/instructors?${week}`),
    admin('report of students, a week', `/reports/students?${week}&limit=100`),
    admin('report of revenue, a week', `/reports/revenue?${week}`),
    admin('report of receivables', '/reports/receivables?limit=100'),
    admin('report of cancellations, a week', `/reports/cancellations?${week}`),
    admin('report of maintenance', '/reports/maintenance'),
    admin('search, a name', '/search?q=maria+lopez', 50),
    admin('search, a word of titles', '/search?q=checkride', 50),
    admin('search, a typo', '/search?q=schmitd', 50),
    admin('search, a typo in a title', '/search?q=checkrdie', 50),
    admin('search, nothing', '/search?q=zzyzx', 50),
  ]
}
