import type { MailTokens } from '../../../src/shared/platform/adapters/tokens/mail-tokens.ts'
import { addDays, localDate, minuteOfDay, wallToInstant } from '../../../src/shared/platform/kernel/zones.ts'
import { offerPlaces } from '../../../src/shared/scheduling/waitlist/offer-places.ts'
import { createEntry } from '../../../src/shared/scheduling/waitlist/write-entry.ts'
import { type DemoSchool, ZONE } from './found-school.ts'
import type { SchoolTransaction } from './school-transaction.ts'

/** The days ahead on which members wait for a place. A week has days on which each instructor teaches. */
const [SOON, LATER] = [12, 30]
const WEEK = 7

/**
 * Puts members on the waiting list, three of them for times that are free, who get an offer. Offers are made by day: at night
 * those of the evening before are open.
 */
export async function fillWaitlist(
  school: SchoolTransaction,
  { actors, resourceIds }: DemoSchool,
  mailTokens: MailTokens,
  now: Date,
): Promise<void> {
  const { dana, sam, samir, sofia, stella, isabel } = actors
  const between = (day: number, from: number, to: number) => {
    const date = addDays(localDate(now, ZONE), day)
    return { start: wallToInstant(date, from * 60, ZONE), end: wallToInstant(date, to * 60, ZONE) }
  }
  const week = (from: number, to: number) => Array.from({ length: WEEK }, (_, day) => between(SOON + day, from, to))
  const wish = {
    durationMinutes: 120,
    noticeMinutes: 180,
    pool: null,
    instructorIds: [],
    resourceIds: [],
    insteadOfId: null,
  }
  const entries = [
    { by: sofia, orgUserId: sofia.orgUserId, windows: [between(LATER, 8, 18)] },
    { by: dana, orgUserId: sam.orgUserId, windows: week(9, 12) },
    {
      by: dana,
      orgUserId: stella.orgUserId,
      windows: week(13, 16),
      resourceIds: [resourceIds.N518FL],
      instructorIds: [isabel.orgUserId],
    },
    { by: dana, orgUserId: samir.orgUserId, windows: week(9, 16) },
  ]
  const at = dayTime(now)
  for (const { by, ...entry } of entries) {
    await school.at(at, (tx) => createEntry(tx, by, { ...wish, type: 'dual', ...entry }))
  }
  const offerNext = () => school.at(at, (tx) => offerPlaces(tx, { mailTokens, config: allMails }, dana.organizationId))
  while (await offerNext());
}

/** What the demo school mails stays within the limits. */
const allMails = { RATE_LIMIT_FACTOR: 1 }

/** Returns the present time, or at night half past eight of the evening before. */
function dayTime(now: Date): Date {
  const minute = minuteOfDay(now, ZONE)
  if (minute >= 420 && minute < 1_260) return now
  const evening = addDays(localDate(now, ZONE), minute < 420 ? -1 : 0)
  return wallToInstant(evening, 1_230, ZONE)
}
