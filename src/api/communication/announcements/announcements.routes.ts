import { z } from 'zod'
import {
  findAnnouncement,
  listAnnouncements,
} from '../../../shared/communication/announcements/announcement.queries.ts'
import { MAILED_A_DAY } from '../../../shared/communication/announcements/mailing-limit.access.ts'
import {
  createAnnouncement,
  deleteAnnouncement,
  markAnnouncementRead,
  updateAnnouncement,
} from '../../../shared/communication/announcements/write-announcement.ts'
import { communicationErrors } from '../../../shared/communication/communication.errors.ts'
import { deskStaff } from '../../../shared/platform/authz/roles.ts'
import { created, done, ok, page } from '../../http/answers.ts'
import type { Call, Routes } from '../../http/endpoint.ts'
import { ListQuery, listPage } from '../../http/lists.ts'
import { RoleNames } from '../../http/role-schemas.ts'
import { distinct, envelope, Id, IdParams, InstantInput, name, note } from '../../http/schemas.ts'
import { Announcement, announcementView } from './announcement.view.ts'

const tag = 'Announcements'

const AnnouncementBody = z.object({
  title: name(200),
  body: note(10_000),
  roles: RoleNames.optional().describe(
    'The roles of the audience. Without roles and groups, the audience is all members',
  ),
  groupIds: z.array(Id).max(500).transform(distinct).optional().describe('The groups of the audience, besides `roles`'),
  pinned: z.boolean().optional(),
  publishAt: InstantInput.optional().describe('When it is published; default for a new one: now'),
  expiresAt: InstantInput.nullish().describe('When it expires and members no longer see it; null: never'),
})

/** Announcements of desk staff to members. */
export const announcementRoutes: Routes = (on) => {
  on.get('/announcements', {
    id: 'listAnnouncements',
    access: 'member',
    tag,
    summary: 'List the announcements',
    description:
      'Lists the announcements, pinned ones first, then the newest. Members see those that are for them, from ' +
      '`publishAt` until `expiresAt`; desk staff see all at any time.',
    query: ListQuery,
    answers: { 200: envelope(z.array(Announcement)) },
    read: async ({ db, actor, query, now }) =>
      page(await listPage(listAnnouncements(db, { ...actor, now }), query, announcementView)),
  })

  on.post('/announcements', {
    id: 'createAnnouncement',
    access: deskStaff,
    verified: true,
    tag,
    summary: 'Create an announcement',
    description:
      'Creates an announcement. Its audience, except its author, is notified (`announcement`) once, at ' +
      '`publishAt`. At most ten announcements in 24 hours notify their audience, over all organizations of an ' +
      'owner. Above this limit, an announcement that is to be published now is refused with 429; one that is ' +
      'published later is shown at `publishAt`, and its audience is notified as soon as the limit allows.',
    body: AnnouncementBody,
    answers: { 201: envelope(Announcement) },
    errors: [
      communicationErrors.unknownGroup,
      communicationErrors.expiresBeforePublished,
      communicationErrors.mailingsUsedUp,
    ],
    write: (tx, { actor, body, services }) =>
      createAnnouncement(tx, actor, body, MAILED_A_DAY * services.config.RATE_LIMIT_FACTOR),
    answer: async ({ id }, call) => created(await readAnnouncement(call, id)),
  })

  on.get('/announcements/:id', {
    id: 'readAnnouncement',
    access: 'member',
    tag,
    summary: 'Read an announcement',
    description: 'Returns one announcement that the caller may see. It is not marked as read.',
    params: IdParams,
    answers: { 200: envelope(Announcement) },
    read: async ({ params, ...call }) => ok(await readAnnouncement(call, params.id)),
  })

  on.patch('/announcements/:id', {
    id: 'updateAnnouncement',
    access: deskStaff,
    verified: true,
    tag,
    edits: 'announcement',
    summary: 'Change an announcement',
    description:
      'Changes the fields that are sent. New `roles` and `groupIds` replace the stored ones: members who are no ' +
      'longer in the audience no longer see the announcement or its notification, and added members are notified. ' +
      'Each member is notified once. A new `publishAt` also moves the notification, unless it was already sent.',
    params: IdParams,
    body: AnnouncementBody.partial(),
    answers: { 200: envelope(Announcement) },
    errors: [
      communicationErrors.unknownGroup,
      communicationErrors.expiresBeforePublished,
      communicationErrors.mailingsUsedUp,
    ],
    write: (tx, { actor, params, body, services }) =>
      updateAnnouncement(tx, actor, params.id, body, MAILED_A_DAY * services.config.RATE_LIMIT_FACTOR),
    answer: async ({ id }, call) => ok(await readAnnouncement(call, id)),
  })

  on.post('/announcements/:id', {
    id: 'markAnnouncementRead',
    access: 'member',
    tag,
    summary: 'Mark an announcement as read',
    description: 'Marks an announcement as read by the caller. `readAt` keeps the first time.',
    params: IdParams,
    answers: { 200: envelope(Announcement) },
    write: (tx, { actor, params }) => markAnnouncementRead(tx, actor, params.id),
    answer: async (_read, call) => ok(await readAnnouncement(call, call.params.id)),
  })

  on.delete('/announcements/:id', {
    id: 'deleteAnnouncement',
    access: deskStaff,
    tag,
    edits: 'announcement',
    summary: 'Delete an announcement',
    description: 'Deletes an announcement, and its notifications in the app. Mails that were sent stay.',
    params: IdParams,
    answers: { 204: null },
    write: (tx, { actor, params }) => deleteAnnouncement(tx, actor, params.id),
    answer: () => done(),
  })
}

async function readAnnouncement({ db, actor, now }: Pick<Call<'member'>, 'db' | 'actor' | 'now'>, id: number) {
  return announcementView(await findAnnouncement(db, { ...actor, now }, id))
}
