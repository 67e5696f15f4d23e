import { conflict, defineErrors, forbidden, invalid, notFound, tooMany } from '../platform/kernel/error-catalogue.ts'

/** The errors of announcements, meetings, notifications and webhooks. */
export const communicationErrors = defineErrors('communication', {
  providerNotOffered: notFound('This provider is not offered here.'),
  unknownGroup: invalid('groupIds.{index}: there is no such group'),
  mailingsUsedUp: tooMany(
    '{limit} announcements were sent within the last day, which is the limit. Please publish this one later.',
  ),
  expiresBeforePublished: invalid('expiresAt: must be after publishAt'),
  noAccountConnected: notFound('No account is connected with this provider.'),
  notYourNotification: forbidden('This is not your notification.'),
  tooManyWebhooks: conflict(
    'An organization can have at most {limit} webhooks. The limit also applies to all organizations of one owner together.',
    'TOO_MANY_WEBHOOKS',
  ),
  unknownEvent: invalid('eventIds.{index}: there is no such event'),
  tooManyEvents: invalid('startDate: selects more than {limit} events; choose a later one'),
  webhookOff: conflict('This webhook is turned off. Turn it on first.', 'WEBHOOK_OFF'),
  urlRefused: invalid('url: {reason}'),
})
