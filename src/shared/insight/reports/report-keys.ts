/** The reports by their last path segment. */
export const reportKeys = [
  'utilization',
  'instructors',
  'students',
  'revenue',
  'receivables',
  'cancellations',
  'maintenance',
] as const
export type ReportKey = (typeof reportKeys)[number]
