import { z } from 'zod'
import type { ApplicationColumn, ApplicationHours } from '../../../shared/insight/logbook/application-hours.queries.ts'
import type { ReadinessView } from '../../../shared/training/readiness/readiness.access.ts'
import {
  itemGroups,
  itemOwners,
  itemStatuses,
  neededActions,
  type PrivateItem,
  type ReadinessItem as ReadinessItemRow,
  type Readiness as ReadinessRow,
  unknownReasons,
  verdicts,
} from '../../../shared/training/readiness/readiness.types.ts'
import type { ReadinessFacts } from '../../../shared/training/readiness/readiness-facts.types.ts'
import { iso } from '../../http/iso.ts'
import { Id, Instant, RecordReference } from '../../http/schemas.ts'
import { DeciHours } from '../training.schemas.ts'

/** One thing that the test asks for. */
export const ReadinessItem = z
  .object({
    key: z.string().describe('As the guide *Before the practical test* lists them'),
    group: z.enum(itemGroups),
    status: z.enum(itemStatuses).describe('`ends_before`: before the day on which it is needed'),
    message: z.string().nullable().describe('null: not for this reader'),
    rule: z.string().describe('`school` bears on no verdict'),
    evidence: z.array(RecordReference),
    why: z.enum(unknownReasons).optional(),
    needs: z
      .object({
        action: z.enum(neededActions),
        deciHours: DeciHours.optional(),
        count: z.int().optional(),
        lessonIds: z.array(Id).optional().describe('The lessons left that credit it'),
        code: z.string().optional().describe('Of the endorsement or the knowledge test'),
      })
      .optional(),
    owner: z.enum(itemOwners).describe('Who acts next'),
    dueAt: Instant.nullable(),
  })
  .meta({ id: 'ReadinessItem' })

const Hours = z
  .object({
    byCategory: z
      .array(
        z.object({
          category: z.string().describe('Of the aircraft, or `simulator`'),
          deciHours: z.record(z.string(), DeciHours).describe('Tenths of an hour'),
          landings: z.int(),
          nightLandings: z.int(),
        }),
      )
      .describe('The log at this school, in the columns of FAA Form 8710-1'),
    brought: z
      .record(z.string(), z.int())
      .describe(
        'Tenths of an hour, or a count, by the code of the requirement: what is not in the log, such as transfers and ' +
          'lessons without a booking',
      ),
  })
  .meta({ id: 'HoursOnRecord' })

/** Whether a student is ready for the practical test. */
export const Readiness = z
  .object({
    verdict: z.enum(verdicts),
    at: Instant,
    applicationAt: Instant,
    open: z.int().describe('The number of items that bear on the verdict and are not met'),
    judgedAt: Instant.describe('The instant of the school’s records, which are no permission'),
    edition: z.string().describe('Of AC 61-65'),
    items: z.array(ReadinessItem).nullable().describe('null: the reader sees the verdict only'),
    hours: Hours.nullable(),
  })
  .meta({ id: 'Readiness' })

/** Returns the readiness as a reader sees it. Items that are withheld have their status and owner alone. */
export function readinessView(
  { items, at, applicationAt, ...judged }: ReadinessRow,
  { view, hours, now, edition }: { view: ReadinessView; hours: HoursView | null; now: Date; edition: string },
): z.input<typeof Readiness> {
  return {
    ...judged,
    at: iso(at),
    applicationAt: iso(applicationAt),
    judgedAt: iso(now),
    edition,
    items: view.items ? items.map((item) => itemView(item, view.withheld)) : null,
    hours: view.items ? hours : null,
  }
}

function itemView(
  { counts: _, dueAt, ...item }: ReadinessItemRow,
  withheld: ReadonlySet<PrivateItem>,
): z.input<typeof ReadinessItem> {
  const isWithheld = [...withheld].some((key) => key === item.key)
  if (!isWithheld) return { ...item, dueAt: iso(dueAt) }
  const { key, group, status, rule, owner } = item
  return { key, group, status, rule, owner, message: null, evidence: [], dueAt: null }
}

/** The hours of the log by category, and the credit that was brought by the code of its requirement. */
interface HoursView {
  byCategory: (Pick<ApplicationHours, 'category' | 'landings' | 'nightLandings'> & {
    deciHours: Pick<ApplicationHours, ApplicationColumn>
  })[]
  brought: Record<string, number>
}

/** Returns the hours of the log and the credit that was brought; null when one of them could not be read. */
export function hoursView(
  log: readonly ApplicationHours[] | null,
  { experience }: Pick<ReadinessFacts, 'experience'>,
): HoursView | null {
  if (log === null || experience === 'failed') return null
  return {
    byCategory: log.map(({ category, landings, nightLandings, ...deciHours }) => ({
      category,
      deciHours,
      landings,
      nightLandings,
    })),
    brought: Object.fromEntries(
      experience.requirements.flatMap(({ code, brought }) => (brought === 0 ? [] : [[code, brought]])),
    ),
  }
}
