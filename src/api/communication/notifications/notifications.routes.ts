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
    summary: 'List my notifications',
    description: 'Those of the active organization, newest first.',
    query: NotificationQuery,
    answers: { 200: envelope(z.array(Notification)) },
    read: async ({ db, actor, query }) =>
      page(await listPage(listNotifications(db, actor, query), query, notificationView)),
  })

  on.post('/notifications', {
    id: 'clearNotifications',
    access: 'member',
    tag,
    summary: 'Clear my notifications',
    description: 'Deletes all of them, read or not, in the active organization.',
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
      'Not a change of notifications. A token belongs to one account: the last that registered it. ' +
      `An account has up to ${DEVICES_PER_ACCOUNT} devices; the one registered longest ago makes room. ` +
      'A token that the push service says is gone is dropped; `DELETE /auth` removes one.',
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
    description: 'Once read, it keeps the time of the first reading.',
    params: NotificationParams,
    answers: { 204: null },
    errors: [communicationErrors.notYourNotification],
    write: (tx, { actor, params }) => markRead(tx, actor, params.notificationId),
    answer: () => done(),
  })

  on.get('/notifications/preferences', {
    id: 'readNotificationPreferences',
    access: 'member',
    tag,
    summary: 'List my notification preferences',
    description:
      'One row for every kind, in the active organization: in the app, by push, by mail. Until changed, the defaults. ' +
      'Mail goes to confirmed addresses only.',
    answers: { 200: envelope(z.array(Preference), notifiedLocations) },
    read: ({ db, actor }) => preferencesOf(db, actor),
  })

  on.patch('/notifications/preferences', {
    id: 'updateNotificationPreferences',
    access: 'member',
    tag,
    summary: 'Change my notification preferences',
    description: 'What is left out stays. Answers all rows.',
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
