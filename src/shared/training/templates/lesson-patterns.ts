import type { CreditsTemplate, LessonTemplate } from './syllabus-template.ts'

type Tasks = LessonTemplate['tasks']

/** The credits of every dual lesson and of every solo lesson of a course. */
interface UsualCredits {
  dual: CreditsTemplate
  solo?: CreditsTemplate
}

const acs = 'Each task within the tolerances of the ACS, or as near to them as the stage asks, and always safely.'
const alone = 'Safe and under control throughout; the student says afterwards what to do better.'

/** Returns functions that build the kinds of lesson of a course; times are tenths of hours. */
export function lessonPatterns(usual: UsualCredits) {
  const dual = (name: string, flight: number, tasks: Tasks, credits: CreditsTemplate = {}): LessonTemplate => ({
    name,
    kind: 'flight',
    objectives: `With the instructor the student learns and practices: ${small(name)}.`,
    standards: acs,
    flight,
    ground: 5,
    tasks,
    credits: { ...usual.dual, ...credits },
  })
  return {
    /** A dual flight, with half an hour of ground instruction. */
    dual,
    /** A solo flight. */
    solo: (name: string, flight: number, tasks: Tasks, credits: CreditsTemplate = {}): LessonTemplate => ({
      name,
      kind: 'flight',
      objectives: `Alone the student practices: ${small(name)}.`,
      standards: alone,
      flight,
      tasks,
      credits: { ...usual.solo, ...credits },
    }),
    /** A ground lesson. */
    ground: (name: string, ground: number, tasks: Tasks, credits: CreditsTemplate = {}): LessonTemplate => ({
      name,
      kind: 'ground',
      objectives: `The student understands: ${small(name)}.`,
      standards: 'The student explains each subject in their own words and applies it to a flight of theirs.',
      ground,
      tasks,
      credits,
    }),
    /** A lesson in a simulator or flight training device. */
    sim: (name: string, tasks: Tasks, credits: CreditsTemplate): LessonTemplate => ({
      name,
      kind: 'sim',
      objectives: `In the simulator the student learns and practices: ${small(name)}.`,
      standards: acs,
      ground: 3,
      tasks,
      credits,
    }),
    /** A stage check: a flight with a check instructor. */
    check: (name: string, flight: number, tasks: Tasks, credits: CreditsTemplate = {}): LessonTemplate => ({
      ...dual(name, flight, tasks, credits),
      objectives: 'A check instructor finds out whether the student is ready to go on.',
      standards: 'Each task to the standard of the stage, without help.',
      stageCheck: true,
    }),
  }
}

/** Returns a heading for use inside a sentence; abbreviations keep their capitals. */
function small(name: string): string {
  return /^[A-Z][a-z]/.test(name) ? name[0]?.toLowerCase() + name.slice(1) : name
}
