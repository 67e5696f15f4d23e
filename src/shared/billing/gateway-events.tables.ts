import { p } from '@mikro-orm/core'
import { instant, record } from '../platform/db/columns.ts'
import { log } from '../platform/db/declare-table.ts'

/** A webhook event of the payment gateway. Its id is stored before it takes effect, so that each event takes effect once. */
export const GatewayEvent = log('gateway_event', {
  rights: 'insert only',
  /** An event must not take effect twice; the gateway repeats events for 30 days. */
  kept: { days: 400, purge: 'purge_gateway_events' },
  columns: {
    ...record,
    eventId: p.text(),
    type: p.text(),
    occurredAt: instant(),
    /** Whether the event was found in the gateway's list, because no webhook delivered it. */
    lookedUp: p.boolean().default(false),
  },
})

/** The time up to which the events of a gateway account were read. The row of the service's own account has no organization. */
export const GatewayEventSweep = log('gateway_event_sweep', {
  exported: false,
  columns: {
    ...record,
    organizationId: p.integer().nullable(),
    account: p.text().nullable(),
    /** When a job that reads the events was last enqueued. */
    askedAt: instant().nullable(),
    /** All older events are stored; null before the first read. */
    readUntil: instant().nullable(),
  },
})
