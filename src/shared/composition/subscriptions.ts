import { notificationSubscription } from '../communication/notifications/notify.ts'
import { webhookSubscription } from '../communication/webhooks/record-event.ts'
import type { Subscription } from '../platform/events/fan-out.ts'

/** Who reacts to what happened, by the kinds of events. */
export const subscriptions: readonly Subscription[] = [notificationSubscription, webhookSubscription]
