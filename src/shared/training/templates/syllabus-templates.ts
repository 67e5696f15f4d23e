import { flightInstructor } from './cfi.ts'
import { commercialPilot } from './commercial.ts'
import { complexAirplane } from './complex.ts'
import { flightReview } from './flight-review.ts'
import { highPerformance } from './high-performance.ts'
import { instrumentRating } from './instrument.ts'
import { privatePilot } from './private.ts'
import type { SyllabusTemplate } from './syllabus-template.ts'
import { tailwheel } from './tailwheel.ts'

/** The syllabus templates. Implements interface §Training: GET /training/templates. */
export const syllabusTemplates: readonly SyllabusTemplate[] = [
  privatePilot,
  instrumentRating,
  commercialPilot,
  flightInstructor,
  flightReview,
  tailwheel,
  highPerformance,
  complexAirplane,
]
