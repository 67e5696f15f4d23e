import { flightInstructor } from './cfi.ts'
import { commercialPilot } from './commercial.ts'
import { commercialPilot141 } from './commercial-141.ts'
import { complexAirplane } from './complex.ts'
import { flightReview } from './flight-review.ts'
import { highPerformance } from './high-performance.ts'
import { instrumentRating } from './instrument.ts'
import { instrumentRating141 } from './instrument-141.ts'
import { privatePilot } from './private.ts'
import { privatePilot141 } from './private-141.ts'
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
  privatePilot141,
  instrumentRating141,
  commercialPilot141,
]
