/**
 * The personal weather limits of a member: the lowest ceiling in feet above the ground and visibility in statute miles, and
 * the strongest wind, gusts and crosswind in knots. Null: no limit.
 */
export interface PilotMinimums {
  ceilingFeet: number | null
  visibilityMiles: number | null
  windKnots: number | null
  gustKnots: number | null
  crosswindKnots: number | null
}

/** The limits of a member for whom none are set. */
export const noMinimums: PilotMinimums = {
  ceilingFeet: null,
  visibilityMiles: null,
  windKnots: null,
  gustKnots: null,
  crosswindKnots: null,
}
