import { z } from 'zod'
import { fleetErrors } from '../../../shared/fleet/fleet.errors.ts'
import { maintainers } from '../../../shared/fleet/maintenance/change-squawk.ts'
import { replaceMeter } from '../../../shared/fleet/maintenance/replace-meter.ts'
import { findResource } from '../../../shared/fleet/resources/resource.queries.ts'
import { staff } from '../../../shared/platform/authz/roles.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { ok } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { fileAnswer } from '../../http/formats.ts'
import { envelope, IdParams } from '../../http/schemas.ts'
import { makeLimited } from '../../pdf/limited-pdf.ts'
import { Resource, resourceView } from '../resources/resource.view.ts'
import { ForecastItem, viewForecast } from './forecast.view.ts'
import { ForecastQuery, MeterChangeBody } from './maintenance.schemas.ts'
import { renderStatus } from './render-status.ts'
import { findStatusSheet } from './status-facts.ts'

const tag = 'Maintenance'

/** The endpoints about the whole maintenance of an aircraft: forecast, status sheet, and replaced meters. */
export const aircraftMaintenanceRoutes: Routes = (on) => {
  on.get('/maintenance/forecast', {
    id: 'readMaintenanceForecast',
    computed: true,
    access: [...staff, 'technician'],
    tag,
    summary: 'Forecast when maintenance comes due',
    description:
      'Returns one row per maintenance reminder, the earliest first. A row has the limit that is expected to be ' +
      'reached first, and the booking during which it is reached. Bookings of the next 366 days are considered, ' +
      'except maintenance bookings. Typical limits are those of 14 CFR 91.409, 91.411, 91.413 and 91.207.',
    query: ForecastQuery,
    answers: { 200: envelope(z.array(ForecastItem)) },
    errors: [],
    read: async (call) => ok(await viewForecast(call, call.query.resourceId)),
  })

  on.get('/resources/:id/status', {
    id: 'readStatusSheet',
    access: 'member',
    tag,
    summary: 'Read the status of an aircraft as a PDF',
    description:
      'Returns one page with the last and next inspections, undone completions, deferred items, open squawks, the ' +
      'meters, and the documents that the reader may see. A table that is too long for the page ends with the number of omitted ' +
      'rows. It shows the status of inspections that 14 CFR 91.417(a)(2) requires.',
    params: IdParams,
    answers: { 200: null },
    formats: ['pdf'],
    errors: [platformErrors.noSuchRecord, platformErrors.pdfsUnderWay],
    read: async ({ params, now, ...call }) => {
      const { db, actor } = call
      const { sheet, printed } = await findStatusSheet(db, actor, params.id, now)
      const paper = await makeLimited(call, () => renderStatus(sheet, printed, now))
      return fileAnswer(paper, 'pdf', { name: `status-${params.id}`, shown: true })
    },
  })

  on.post('/resources/:id/meterChange', {
    id: 'replaceMeter',
    access: maintainers,
    tag,
    summary: 'Replace a meter of an aircraft',
    description:
      'Records that a meter was replaced. The due and last-done readings of its reminders change by `newReading` ' +
      'minus `oldReading`, so the remaining time stays the same and time in service continues (14 CFR ' +
      '91.417(a)(2)(i)). Flights, invoices and past completions keep their readings.',
    params: IdParams,
    body: MeterChangeBody,
    answers: { 200: envelope(Resource) },
    errors: [fleetErrors.noMeter, fleetErrors.oldReadingBelow, platformErrors.noSuchRecord, fleetErrors.outOnBooking],
    write: (tx, { actor, params, body }) => replaceMeter(tx, actor, params.id, body),
    answer: async ({ id }, { db, actor }) => ok(resourceView(await findResource(db, actor.organizationId, id))),
  })
}
