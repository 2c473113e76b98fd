"""Sample charts of the style guide, with names that try to break out of them."""

from markupsafe import Markup

from chronicle.site.charts import (
    AxisLabel,
    CurveMark,
    LaneHeading,
    PresenceCell,
    Ring,
    RingSector,
    Series,
    draw_curve_strips,
    draw_lane_strips,
    draw_rings,
    draw_step_lines,
    draw_swim_lanes,
)

SESSIONS = (AxisLabel(0, "session 1"), AxisLabel(14, "session 2"), AxisLabel(30, "session 3"))
WEALTH = (
    Series("Mira", 1, ((0, 25), (6, 21), (14, 26), (20, 16), (30, 21), (44, 21))),
    Series("Teo", 2, ((0, 25), (9, 23), (14, 28), (24, 22), (30, 27), (44, 26))),
    Series("Jun", 3, ((0, 25), (14, 30), (22, 25), (30, 30), (44, 30))),
    Series("Sal", 4, ((0, 25), (10, 20), (14, 25), (26, 17), (30, 22), (44, 29))),
)
IMPORTANCE = Series(
    "Oda Brand", 1, ((0, 4), (6, 5), (14, 6), (20, 7), (24, 11), (38, 10), (44, 11))
)
HOSTILE = ("<the pale>", '"onload=alert(1)', "{{ secret }}", "a\n\nb", "المنارة", "Ина & Ко")


def charts() -> dict[str, Markup]:
    """Every kind of chart once, by the name the guide's pages use."""
    rows = [LaneHeading(name) for name in ("Oda Brand", "tide-walker", "the Lamp", "<the pale>")]
    columns = [LaneHeading(str(number), "guide.html") for number in range(1, 6)]
    cells = (
        PresenceCell(0, 0, 1, "", "M"),
        PresenceCell(0, 3, 2),
        PresenceCell(1, 2, 4, "Interrupts", "S"),
        PresenceCell(3, 4, 3),
    )
    return {
        "curve": draw_step_lines(
            (IMPORTANCE,),
            SESSIONS,
            marks=(CurveMark(24, "takes the Lamp, +4"), CurveMark(38, "loses a fear, −1", "down")),
            title="Importance of Oda Brand",
        ),
        "wealth": draw_step_lines(WEALTH, SESSIONS, title="Coins of each player"),
        "strip": draw_curve_strips(WEALTH, SESSIONS, title="Coins of each player")[0],
        "lanes": draw_swim_lanes(rows, columns, cells),
        "lane": draw_lane_strips(rows, columns, cells, title="Who is where")[1],
        "rings": draw_rings(
            (
                Ring("Self", (RingSector("fear", True, 5), RingSector("hope"))),
                Ring(
                    "Home",
                    (RingSector("wall", True, 1), RingSector("sea"), RingSector("bell", True, 4)),
                ),
                Ring("World", tuple(RingSector(w) for w in ("tide", "fleet", "crown", "debt"))),
            )
        ),
    }
