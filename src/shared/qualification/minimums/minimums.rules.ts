/**
 * The weather that a member may fly in: the least ceiling in feet above the ground and visibility in statute miles, and the
 * most wind, gusts and crosswind in knots. Null does not limit.
 */
export interface PilotMinimums {
  ceilingFeet: number | null
  visibilityMiles: number | null
  windKnots: number | null
  gustKnots: number | null
  crosswindKnots: number | null
}

/** The minimums of a member for whom nobody set any. */
export const noMinimums: PilotMinimums = {
  ceilingFeet: null,
  visibilityMiles: null,
  windKnots: null,
  gustKnots: null,
  crosswindKnots: null,
}
