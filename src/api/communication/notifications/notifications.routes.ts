import { z } from 'zod'
import { communicationErrors } from '../../../shared/communication/communication.errors.ts'
import {
  findNotifiedLocations,
  findPreferences,
  listNotifications,
} from '../../../shared/communication/notifications/notification.queries.ts'
import { clearNotifications, markRead } from '../../../shared/communication/notifications/read-notifications.ts'
import { setNotifiedLocations, setPreferences } from '../../../shared/communication/notifications/set-preferences.ts'
import { DEVICES_PER_ACCOUNT, registerPushDevice } from '../../../shared/identity/accounts/register-push-device.ts'
import { identityErrors } from '../../../shared/identity/identity.errors.ts'
import type { Actor } from '../../../shared/platform/authz/actor.ts'
import type { Db } from '../../../shared/platform/db/database.ts'
import { done, ok, page } from '../../http/answers.ts'
import type { Routes } from '../../http/declaration.ts'
import { listPage } from '../../http/lists.ts'
import { envelope } from '../../http/schemas.ts'
import { PushTokenBody } from '../../identity/accounts/accounts.schemas.ts'
import { Notification, notificationView, Preference, PushDevice } from './notification.view.ts'
import { NotificationParams, NotificationQuery, notifiedLocations, PreferencesBody } from './notifications.schemas.ts'

const tag = 'Notifications'

export const notificationRoutes: Routes = (on) => {
  on.get('/notifications', {
    id: 'listNotifications',
    access: 'member',
    tag,
    summary: 'List your notifications',
    description: 'Lists the caller’s notifications in the active organization, newest first.',
    query: NotificationQuery,
    answers: { 200: envelope(z.array(Notification)) },
    read: async ({ db, actor, query }) =>
      page(await listPage(listNotifications(db, actor, query), query, notificationView)),
  })

  on.post('/notifications', {
    id: 'clearNotifications',
    access: 'member',
    tag,
    summary: 'Delete all your notifications',
    description: 'Deletes all notifications of the caller in the active organization, read or not.',
    answers: { 204: null },
    write: (tx, { actor }) => clearNotifications(tx, actor),
    answer: () => done(),
  })

  on.patch('/notifications', {
    id: 'registerPushDevice',
    access: 'account',
    tag,
    summary: 'Register a push device',
    description:
      'Registers a device of the caller for push messages; it changes no notification. A token belongs to the ' +
      `account that registered it last. An account has up to ${DEVICES_PER_ACCOUNT} devices; a further one ` +
      'replaces the one that was registered longest ago. A token is deleted when the push service reports that ' +
      'it no longer exists, and by `DELETE /auth`.',
    body: PushTokenBody,
    answers: { 200: envelope(PushDevice) },
    write: (tx, { account, body }) => registerPushDevice(tx, account.accountId, body.token),
    answer: (device) => ok(device),
  })

  on.post('/notifications/:notificationId', {
    id: 'markNotificationRead',
    access: 'member',
    tag,
    summary: 'Mark a notification as read',
    description: 'Marks a notification as read. `readAt` keeps the first time.',
    params: NotificationParams,
    answers: { 204: null },
    errors: [communicationErrors.notYourNotification],
    write: (tx, { actor, params }) => markRead(tx, actor, params.notificationId),
    answer: () => done(),
  })

  on.get('/notifications/preferences', {
    id: 'readNotificationPreferences',
    computed: true,
    access: 'member',
    tag,
    summary: 'List your notification preferences',
    description:
      'Lists one row for each kind of notification: whether the caller gets it in the app, by push and by mail, in ' +
      'the active organization. Kinds that were never changed have the defaults. Mails are sent to confirmed ' +
      'addresses only.',
    answers: { 200: envelope(z.array(Preference), notifiedLocations) },
    read: ({ db, actor }) => preferencesOf(db, actor),
  })

  on.patch('/notifications/preferences', {
    id: 'updateNotificationPreferences',
    access: 'member',
    tag,
    summary: 'Change your notification preferences',
    description: 'Changes the preferences that the body contains, and returns all of them.',
    body: PreferencesBody,
    answers: { 200: envelope(z.array(Preference), notifiedLocations) },
    errors: [identityErrors.unknownLocation],
    async write(tx, { actor, body }) {
      if (body.preferences) await setPreferences(tx, actor, body.preferences)
      if (body.locationIds) await setNotifiedLocations(tx, actor, body.locationIds)
    },
    answer: (_, { db, actor }) => preferencesOf(db, actor),
  })
}

async function preferencesOf(db: Db, actor: Actor) {
  return ok(await findPreferences(db, actor), { locationIds: await findNotifiedLocations(db, actor) })
}
