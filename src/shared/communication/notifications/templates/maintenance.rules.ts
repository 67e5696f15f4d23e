import { formatReading } from '../../../platform/kernel/hours.ts'
import { type Hundredths, ZERO } from '../../../platform/kernel/units.ts'
import type { Message } from './message.rules.ts'
import { dayInWords } from './when.rules.ts'

/** The facts of a squawk for its messages. */
export interface SquawkTemplateData {
  id: number
  resource: { id: number; name: string }
  title: string
  description: string | null
  grounding: boolean
  reporter: string
}

/** Returns the message to admins and technicians about a new squawk. */
export function squawkOpened(squawk: SquawkTemplateData): Message {
  const { id, resource, title, description, grounding, reporter } = squawk
  const sentences = [
    `${reporter} reported: ${title}.`,
    ...(description ? [description] : []),
    ...(grounding ? [`${resource.name} is grounded until the squawk is deferred or resolved.`] : []),
  ]
  return {
    title: `Squawk on ${resource.name}: ${title}`,
    body: sentences.join(' '),
    data: { squawkId: id, resourceId: resource.id },
    mail: { paragraphs: sentences, action: null },
  }
}

/**
 * Returns the message to admins and technicians about a squawk whose deferral has ended: its aircraft is grounded
 * again.
 */
export function deferralEnded({ id, resource, title }: SquawkTemplateData): Message {
  const sentence = `The deferral of “${title}” has ended: ${resource.name} is grounded until the squawk is resolved or deferred again.`
  return {
    title: `Deferral on ${resource.name} has ended: ${title}`,
    body: sentence,
    data: { squawkId: id, resourceId: resource.id },
    mail: { paragraphs: [sentence], action: null },
  }
}

/**
 * The facts of a maintenance item for its message. `due` is the due reading, in hundredths of an hour or of a landing.
 */
export interface MaintenanceItemTemplateData {
  id: number
  resource: { id: number; name: string }
  name: string
  overdue: boolean
  grounding: boolean
  scope: 'all' | 'for_hire_or_instruction' | 'ifr'
  basis: 'calendar' | 'hobbs' | 'tach' | 'landings' | 'use'
  dueAt: Date | null
  due: Hundredths | null
  zone: string
}

const held = {
  all: (aircraft: string) => `${aircraft} is grounded`,
  for_hire_or_instruction: (aircraft: string) => `Bookings of ${aircraft} for hire or instruction are on hold`,
  ifr: (aircraft: string) => `Bookings of ${aircraft} under instrument flight rules are on hold`,
}
const grounds = {
  all: 'When it is overdue, the aircraft is grounded.',
  for_hire_or_instruction: 'When it is overdue, bookings for hire or instruction are on hold.',
  ifr: 'When it is overdue, bookings under instrument flight rules are on hold.',
}

/** Returns the message to admins and technicians about a maintenance item that is due soon or overdue. */
export function maintenanceDue(reminder: MaintenanceItemTemplateData): Message {
  const { id, resource, name, overdue, grounding } = reminder
  const sentences = [
    `${name} of ${resource.name} ${overdue ? 'was' : 'is'} due ${whenDue(reminder)}.`,
    ...(grounding
      ? [overdue ? `${held[reminder.scope](resource.name)} until it is done.` : grounds[reminder.scope]]
      : []),
  ]
  return {
    title: `${name} of ${resource.name} is ${overdue ? 'overdue' : 'due soon'}`,
    body: sentences.join(' '),
    data: { reminderId: id, resourceId: resource.id },
    mail: { paragraphs: sentences, action: null },
  }
}

function whenDue({ basis, dueAt, due, zone }: MaintenanceItemTemplateData): string {
  if (basis === 'calendar') return dueAt ? `on ${dayInWords(dueAt, zone)}` : 'at an unknown time'
  if (basis === 'landings') return `at ${Math.trunc((due ?? ZERO) / 100)} landings`
  if (basis === 'use') return `after ${formatReading(due ?? ZERO)} hours of use`
  return `at ${basis === 'hobbs' ? 'Hobbs' : 'tach'} ${formatReading(due ?? ZERO)}`
}
