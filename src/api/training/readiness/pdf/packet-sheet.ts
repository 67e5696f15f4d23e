import type { z } from 'zod'
import { momentInWords } from '../../../../shared/communication/notifications/templates/when.rules.ts'
import { formatTenths } from '../../../../shared/platform/kernel/hours.ts'
import { tenths } from '../../../../shared/platform/kernel/units.ts'
import { localDate } from '../../../../shared/platform/kernel/zones.ts'
import type { EndorsementRow } from '../../../../shared/training/endorsements/endorsement.queries.ts'
import type { ReadinessFacts } from '../../../../shared/training/readiness/readiness-facts.types.ts'
import type { StatusSheet } from '../../../fleet/maintenance/status-sheet.ts'
import type { EnrollmentFile } from '../../enrollments/enrollment-detail.ts'
import { type RecordSheet, recordSheet, signedLine } from '../../records/pdf/record-sheet.ts'
import type { Appended } from '../packet-appendices.ts'
import type { Readiness } from '../readiness.view.ts'

/** The facts of a packet, as the reader sees them. */
export interface PacketFacts {
  file: EnrollmentFile
  readiness: z.input<typeof Readiness>
  experience: ReadinessFacts['experience']
  /** The endorsements of the student that are not replaced, newest first. */
  endorsements: readonly EndorsementRow[]
  status: { sheet: StatusSheet; printed: string } | null
  school: { name: string; zone: string; country: string | null }
  appended: Pick<Appended, 'titles' | 'failed'>
  now: Date
}

/** The texts of a packet, in reading order. */
export interface PacketSheet {
  title: string
  school: string
  country: string | null
  facts: string[]
  verdict: string
  /** What the document is, and what it is not. */
  about: string[]
  /** The items that are not met, each in one line, and the keys of the others. */
  open: string[]
  met: string
  items: { item: string; status: string; rule: string; evidence: string; note: string }[]
  /** Null: the log could not be read. */
  hours: { categories: string[]; rows: { time: string; values: string[] }[] } | null
  experience: { requirement: string; required: string; credited: string; brought: string }[]
  endorsements: RecordSheet['endorsements']
  tests: RecordSheet['tests']
  records: RecordSheet['records']
  status: PacketFacts['status']
  /** Stands on every page. */
  note: string
}

const verdicts = {
  ready: 'Ready: every item is met',
  not_ready: 'Not ready',
  unknown: 'Not known to be ready',
} as const

/** The times of the application, in its words. */
const times = {
  total: 'Total',
  instruction: 'Instruction received',
  solo: 'Solo',
  pic: 'Pilot in command',
  crossCountryInstruction: 'Cross-country, instruction received',
  crossCountrySolo: 'Cross-country, solo',
  crossCountryPic: 'Cross-country, pilot in command',
  instrument: 'Instrument',
  night: 'Night',
  nightInstruction: 'Night, instruction received',
  nightPic: 'Night, pilot in command',
} as const

/** Returns the texts of a packet. Days and times are in the school's zone. */
export function packetSheet({ file, readiness, school, now, ...facts }: PacketFacts): PacketSheet {
  const { enrollment } = file
  const { zone } = school
  const day = (instant: Date) => localDate(instant, zone)
  const moment = (instant: Date | string) => momentInWords(new Date(instant), zone)
  const { tests, records } = recordSheet(file, school)
  const items = readiness.items ?? []
  const open = items.filter(({ status }) => status !== 'met')
  const { verdict, open: counted } = readiness
  const instant = moment(now)
  return {
    title: `Before the practical test: ${enrollment.student.name}`,
    school: school.name,
    country: school.country,
    facts: factsOf(file, readiness, facts.status, moment),
    verdict: `${verdicts[verdict]}${counted > 0 ? `: ${counted === 1 ? '1 item is' : `${counted} items are`} open` : ''}`,
    about: [
      `These are the school’s records at ${instant}, judged for the test, with the endorsements of ${readiness.edition}.`,
      'They are not the application for the test, which the applicant makes, and no permission to take it.',
      ...appendedInWords(facts.appended),
    ],
    open: open.map(({ key, status, message, owner }) =>
      cut(`${status.replace('_', ' ')} · ${key} · ${owner} · ${message ?? 'not for this reader'}`),
    ),
    met: items.flatMap(({ key, status }) => (status === 'met' ? [key] : [])).join(', '),
    items: items.map(({ key, status, message, rule, evidence }) => ({
      item: key,
      status: status.replace('_', ' '),
      rule,
      evidence: evidenceInWords(evidence),
      note: message ?? '',
    })),
    hours: hoursOf(readiness),
    experience: experienceOf(facts.experience),
    endorsements: facts.endorsements.map((one) => endorsementOf(one, day)),
    tests,
    records,
    status: facts.status,
    note: `The school’s records at ${instant} · ${readiness.edition} · no application and no permission`,
  }
}

function factsOf(
  { enrollment, version }: EnrollmentFile,
  { at, applicationAt }: PacketFacts['readiness'],
  status: PacketFacts['status'],
  moment: (instant: string) => string,
): string[] {
  const named = (label: string, value: string | null | undefined) => (value ? [`${label}: ${value}`] : [])
  const part = version.regulatoryPart === 'part141' ? 'Part 141' : 'Part 61'
  return [
    [`${version.courseName} (${part}), syllabus ${version.label}`, ...named('Instructor', enrollment.instructor?.name)],
    [`Test: ${moment(at)}`, `Application: ${moment(applicationAt)}`],
    [
      ...named('Aircraft', status?.sheet.aircraft),
      ...named('Examiner', enrollment.plannedExaminer),
      ...named('Place', enrollment.plannedLocation),
    ],
  ].flatMap((line) => (line.length > 0 ? [line.join(' · ')] : []))
}

/** Returns evidence with its ids by kind: "credit 7, 9". */
function evidenceInWords(evidence: readonly { kind: string; id: number }[]): string {
  const byKind = Map.groupBy(evidence, ({ kind }) => kind)
  return [...byKind]
    .map(([kind, all]) => `${kind.replaceAll('_', ' ')} ${all.map(({ id }) => id).join(', ')}`)
    .join('; ')
}

function hoursOf({ hours }: PacketFacts['readiness']): PacketSheet['hours'] {
  if (!hours) return null
  const { byCategory } = hours
  const row = (time: string, value: (one: (typeof byCategory)[number]) => string) => ({
    time,
    values: byCategory.map(value),
  })
  return {
    categories: byCategory.map(({ category }) => category),
    rows: [
      ...Object.entries(times).map(([column, words]) =>
        row(words, ({ deciHours }) => formatTenths(tenths(deciHours[column] ?? 0))),
      ),
      row('Landings', ({ landings }) => String(landings)),
      row('Landings at night', ({ nightLandings }) => String(nightLandings)),
    ],
  }
}

function experienceOf(experience: PacketFacts['experience']): PacketSheet['experience'] {
  if (experience === 'failed') return []
  return experience.requirements.map(({ code, label, inHours, proven, brought }) => {
    const amount = (value: number) => (inHours ? formatTenths(tenths(value)) : String(value))
    return {
      requirement: `${label} (${code})`,
      required: amount(proven.required),
      credited: amount(proven.credited),
      brought: amount(brought),
    }
  })
}

function endorsementOf(one: EndorsementRow, day: (instant: Date) => string): PacketSheet['endorsements'][number] {
  const code = [one.templateCode, one.templateEdition].filter(Boolean).join(', ')
  const state = one.disownedAt ? 'disowned' : one.unprovenReason !== null ? 'not proven' : ''
  return {
    heading: `${[code, one.title].filter(Boolean).join(' · ')}${state && ` (${state})`}`,
    text: one.renderedText,
    signed: signedLine(one, day).concat(one.expiresAt ? `; valid until ${day(one.expiresAt)}` : ''),
  }
}

/** The most characters of an open item on the first page. */
const LONGEST = 190

function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text
}

/** Says which documents stand at the end of the packet, and which could not be read. */
function appendedInWords({ titles, failed }: PacketFacts['appended']): string[] {
  return [
    ...(titles.length > 0 ? [cut(`At the end, with the student’s consent: ${titles.join(', ')}.`)] : []),
    ...(failed.length > 0 ? [cut(`Not appended, because the file could not be read: ${failed.join(', ')}.`)] : []),
  ]
}
