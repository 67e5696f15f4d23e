import { Migration } from '@mikro-orm/migrations'

/** The last correction of a billed flight whose signatures stand, and the figures that were signed. */
export class Migration20261126225117_corrections extends Migration {
  override up(): void {
    this.addSql(`
      alter table reservation
        add column corrections smallint not null default 0,
        add column corrected_by integer,
        add column corrected_at timestamptz(3),
        add column correction_reason text,
        add column signed_figures jsonb,
        add constraint reservation_corrections check (corrections between 0 and 2) not valid,
        add constraint reservation_organization_id_corrected_by_fkey foreign key (organization_id, corrected_by)
          references membership (organization_id, id) not valid`)
  }
}
