import { agreedSubscription, autoInvoiceSubscription } from '../billing/invoices/invoice-signed-off.ts'
import { notificationSubscription } from '../communication/notifications/notify.ts'
import { webhookSubscription } from '../communication/webhooks/record-event.ts'
import type { Subscription } from '../platform/events/fan-out.ts'

/** The subscriptions to events. Implements docs/decisions/0022. */
export const subscriptions: readonly Subscription[] = [
  notificationSubscription,
  webhookSubscription,
  autoInvoiceSubscription,
  agreedSubscription,
]
