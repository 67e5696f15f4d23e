import {
  conflict,
  defineErrors,
  forbidden,
  invalid,
  notFound,
  tooMany,
  unavailable,
} from '../platform/kernel/error-catalogue.ts'

/** The errors of reports, saved views and the search. */
export const insightErrors = defineErrors('insight', {
  formatUnknown: invalid('format: must be one of json, csv'),
  revenueForAdmins: forbidden('Charts of revenue are for owners and admins.'),
  tooManyRows: invalid('endDate: there are more than {limit} rows, narrow the window'),
  tooManyBars: invalid('groupBy: a chart has at most {limit} bars; choose a longer period than {grouping}'),
  reportsRunning: tooMany('Other reports are still running. Please wait and try again.'),
  viewFormatUnknown: invalid('parameters.format: must be one of json, csv'),
  tooManyViews: conflict('You have saved {limit} views. Please delete one first.', 'TOO_MANY_VIEWS'),
  noSuchView: notFound('There is no such view.'),
  viewOfOthers: forbidden('Only its author and admins can change a shared view.'),
  windowTooLong: invalid('endDate: must be at most {days} days after startDate'),
  searchTooLong: unavailable('The search took too long. Please use more letters.'),
})
