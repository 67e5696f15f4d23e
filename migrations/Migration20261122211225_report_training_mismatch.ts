import { Migration } from '@mikro-orm/migrations'

/** Views of the report of training records that differ from their bookings can be saved. */
export class Migration20261122211225_report_training_mismatch extends Migration {
  override up(): void {
    this.addSql(`
      alter table report_view
        drop constraint report_view_report_check,
        add constraint report_view_report_check check (report in
          ('utilization', 'instructors', 'students', 'revenue', 'receivables', 'cancellations', 'maintenance',
          'training-mismatch'))`)
  }
}
