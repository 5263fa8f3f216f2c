# toolc: generated f26fdc07f6ba306c
"""Each handler beside its contract: a type checker shows what no longer fits."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .contracts import add_note as contract_add_note
    from .handlers import add_note as handler_add_note

    pair_add_note: contract_add_note.AddNote = handler_add_note.add_note

    import generated.handlers.convert_units as handler_convert_temperature

    from .contracts import convert_temperature as contract_convert_temperature

    pair_convert_temperature: contract_convert_temperature.ConvertTemperature = (
        handler_convert_temperature.convert_temperature
    )

    from .contracts import convert_units as contract_convert_units
    from .handlers import convert_units as handler_convert_units

    pair_convert_units: contract_convert_units.ConvertUnits = (
        handler_convert_units.convert_units
    )

    from .contracts import export_notes as contract_export_notes
    from .handlers import export_notes as handler_export_notes

    pair_export_notes: contract_export_notes.ExportNotes = (
        handler_export_notes.export_notes
    )

    from .contracts import fill_template as contract_fill_template
    from .handlers import fill_template as handler_fill_template

    pair_fill_template: contract_fill_template.FillTemplate = (
        handler_fill_template.fill_template
    )

    from .contracts import find_notes as contract_find_notes
    from .handlers import find_notes as handler_find_notes

    pair_find_notes: contract_find_notes.FindNotes = handler_find_notes.find_notes

    from .contracts import list_dates as contract_list_dates
    from .handlers import list_dates as handler_list_dates

    pair_list_dates: contract_list_dates.ListDates = handler_list_dates.list_dates

    from .contracts import outline_text_ as contract_outline_text_
    from .handlers import outline_text_ as handler_outline_text_

    pair_outline_text_: contract_outline_text_.OutlineText = (
        handler_outline_text_.outline_text_
    )

    from .contracts import read_file as contract_read_file
    from .handlers import read_file as handler_read_file

    pair_read_file: contract_read_file.ReadFile = handler_read_file.read_file

    from .contracts import summarize_notebook as contract_summarize_notebook
    from .handlers import summarize_notebook as handler_summarize_notebook

    pair_summarize_notebook: contract_summarize_notebook.SummarizeNotebook = (
        handler_summarize_notebook.summarize_notebook
    )

    from .contracts import update_note as contract_update_note
    from .handlers import update_note as handler_update_note

    pair_update_note: contract_update_note.UpdateNote = handler_update_note.update_note

    from .contracts import write_file as contract_write_file
    from .handlers import write_file as handler_write_file

    pair_write_file: contract_write_file.WriteFile = handler_write_file.write_file
