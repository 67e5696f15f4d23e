import { z } from 'zod'
import { senderName } from '../../../shared/identity/organizations/sender.rules.ts'
import { addressOf } from '../../../shared/platform/adapters/mail/sender-address.ts'
import { networkOf } from '../../../shared/platform/kernel/networks.ts'
import { findCalendarFeed, readCalendar } from '../../../shared/scheduling/calendar/calendar.queries.ts'
import { dropCalendarFeed, replaceCalendarFeed } from '../../../shared/scheduling/calendar/replace-calendar-feed.ts'
import { schedulingErrors } from '../../../shared/scheduling/scheduling.errors.ts'
import { created, done } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { envelope } from '../../http/schemas.ts'
import { calendarView } from './calendar.view.ts'

const tag = 'Calendar'

const CalendarAddress = z.object({ url: z.string() }).meta({ id: 'CalendarAddress' })

/** The endpoints of members' calendar feeds. */
export const calendarRoutes: Routes = (on) => {
  on.post('/calendar/token', {
    id: 'createCalendarAddress',
    access: 'member',
    tag,
    summary: 'Create the secret address of the caller’s calendar',
    description:
      'Creates an address at which calendar programs read the caller’s bookings in this organization. An earlier ' +
      'address stops working.',
    answers: { 201: envelope(CalendarAddress) },
    secret: true,
    write: (tx, { actor, services }) => replaceCalendarFeed(tx, actor, services.mailTokens),
    answer: ({ seed }, { services }) => {
      const token = services.mailTokens.tokenOf(seed)
      return created({ url: `${services.config.PUBLIC_URL}/calendar/${token}.ics` })
    },
  })

  on.delete('/calendar/token', {
    id: 'deleteCalendarAddress',
    access: 'member',
    tag,
    summary: 'Delete the secret address of the caller’s calendar',
    description: 'Deletes the address. It stops working.',
    answers: { 204: null },
    write: (tx, { actor }) => dropCalendarFeed(tx, actor),
    answer: () => done(),
  })

  on.get('/calendar/:token.ics', {
    id: 'readCalendar',
    access: 'anyone',
    tag,
    summary: 'Read a member’s bookings as iCalendar',
    description:
      'Returns the bookings that the member is on, of the last 90 days and the future, without cancelled ones. The ' +
      'address itself is the secret. Limits: 60 reads of an address per hour, and 100 reads of unknown addresses ' +
      'per network in five minutes. The address stops working when the membership ends, the password changes or ' +
      'the account is deleted.',
    countsItself: true,
    params: z.object({ token: z.string() }),
    answers: { 200: null },
    media: 'text/calendar',
    errors: [schedulingErrors.noSuchCalendar],
    read: async ({ params, services, db, now, count, request }) => {
      const feed = await findCalendarFeed(db, services.mailTokens, params.token)
      // Reads of unknown addresses are counted per network, so that guesses do not fill the memory with counters.
      await count([feed ? ['calendar', String(feed.id)] : ['address', networkOf(request.ip)]])
      if (!feed) throw schedulingErrors.noSuchCalendar()
      const calendar = await readCalendar(services.database, feed, now)
      return {
        status: 200,
        body: calendarView(calendar, {
          now,
          publicUrl: services.config.PUBLIC_URL,
          organizer: { name: senderName(feed.name), email: addressOf(services.config.MAIL_FROM) },
        }),
        headers: {
          'content-type': 'text/calendar; charset=utf-8',
          'content-disposition': 'inline; filename="flightline.ics"',
          'cache-control': 'private, max-age=300',
        },
      }
    },
  })
}
