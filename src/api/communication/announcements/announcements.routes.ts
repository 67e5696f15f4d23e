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
} from '../../../shared/communication/announcements/put-announcement.ts'
import { communicationErrors } from '../../../shared/communication/communication.errors.ts'
import { deskStaff } from '../../../shared/platform/authz/roles.ts'
import { created, done, ok, page } from '../../http/answers.ts'
import type { Call, Routes } from '../../http/endpoint.ts'
import { ListQuery, listPage } from '../../http/lists.ts'
import { distinct, envelope, Id, IdParams, InstantInput, name, note, RoleNames } from '../../http/schemas.ts'
import { Announcement, announcementView } from './announcement.view.ts'

const tag = 'Announcements'

const AnnouncementBody = z.object({
  title: name(200).meta({ examples: ['Ramp closed on Friday'] }),
  body: note(10_000).meta({ examples: ['The ramp is repaved on Friday. Please use the east side.'] }),
  roles: RoleNames.optional().describe('For members with one of the roles. Neither roles nor groups: for everyone'),
  groupIds: z
    .array(Id)
    .max(500)
    .transform(distinct)
    .optional()
    .describe('For members of one of the groups')
    .meta({ examples: [[]] }),
  pinned: z.boolean().optional(),
  publishAt: InstantInput.optional().describe('When it is out; left out of a new one: at once'),
  expiresAt: InstantInput.nullish()
    .describe('Until when it is out; null: until it is deleted')
    .meta({ examples: [null] }),
})

/** Announcements of desk staff to members. */
export const announcementRoutes: Routes = (on) => {
  on.get('/announcements', {
    id: 'listAnnouncements',
    access: 'member',
    tag,
    summary: 'List the announcements',
    description:
      'Pinned ones first, then the newest. Members see what is for them, from `publishAt` until `expiresAt`; desk ' +
      'staff see all, before and after too.',
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
    summary: 'Announce something',
    description:
      'Its audience is told (`announcement`) once, when it is out; its author is not. Ten a day are sent to their audience, ' +
      'over all organizations of an owner: more are 429, and one that comes out by its `publishAt` is there at once and ' +
      'told of when the day allows.',
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
    description: 'Reading it does not mark it as read.',
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
      'What is left out stays. `roles` and `groupIds` replace the stored ones: it disappears for members who are no longer in ' +
      'the audience, from their notifications too, and added members are notified. Nobody is notified of it twice. ' +
      'Another `publishAt` also moves the notification, unless it was sent already.',
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
    description: 'For the caller. The first time counts.',
    params: IdParams,
    answers: { 204: null },
    write: (tx, { actor, params }) => markAnnouncementRead(tx, actor, params.id),
    answer: () => done(),
  })

  on.delete('/announcements/:id', {
    id: 'deleteAnnouncement',
    access: deskStaff,
    tag,
    edits: 'announcement',
    summary: 'Delete an announcement',
    description: 'It is gone from the notifications of its audience too; mails stay.',
    params: IdParams,
    answers: { 204: null },
    write: (tx, { actor, params }) => deleteAnnouncement(tx, actor, params.id),
    answer: () => done(),
  })
}

async function readAnnouncement({ db, actor, now }: Pick<Call<'member'>, 'db' | 'actor' | 'now'>, id: number) {
  return announcementView(await findAnnouncement(db, { ...actor, now }, id))
}
