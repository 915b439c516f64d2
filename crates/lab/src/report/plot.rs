//! Figures as SVG. Colours are CSS variables of the page, so that they follow its light and dark sides; every
//! series also has its own marker or dash, so that none is told by colour alone.

use maud::{Markup, PreEscaped, html};

use super::scale::Axis;
use super::shade::Shade;
use crate::{Figure, FigureKind, Heat, Point, Role, Series};

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 62.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 52.0;
/// How many colours the page has.
const COLOURS: usize = 8;

/// The figure's drawing with its legend.
pub fn figure(figure: &Figure) -> Markup {
    match &figure.kind {
        FigureKind::Plot(series) => html! { (plot(figure, series)) (legend(series)) },
        FigureKind::Bars { categories, series } => {
            html! { (bars(figure, categories, series)) (legend(series)) }
        }
        FigureKind::Heat(heat) => heat_map(figure, heat),
        FigureKind::Svg(svg) => PreEscaped(svg.clone()),
    }
}

/// A length or place of the drawing, to a tenth.
fn at(value: f64) -> String {
    format!("{value:.1}")
}

fn drawing(figure: &Figure, height: f64, inside: &Markup) -> Markup {
    html! {
        svg viewBox={ "0 0 " (WIDTH) " " (height) } role="img" aria-label=(figure.title) class="plot" { (inside) }
    }
}

fn text(class: &str, x: f64, y: f64, anchor: &str, words: &str) -> Markup {
    html! { text class=(class) x=(at(x)) y=(at(y)) text-anchor=(anchor) { (words) } }
}

fn line(class: &str, [x1, x2]: [f64; 2], [y1, y2]: [f64; 2]) -> Markup {
    html! { line class=(class) x1=(at(x1)) x2=(at(x2)) y1=(at(y1)) y2=(at(y2)) {} }
}

/// The words along the two axes.
fn axis_words(figure: &Figure, height: f64) -> Markup {
    let middle = (TOP + height - BOTTOM) / 2.0;
    html! {
        (text("label", (LEFT + WIDTH - RIGHT) / 2.0, height - 10.0, "middle", &figure.x_label))
        text class="label" transform={ "translate(15 " (at(middle)) ") rotate(-90)" } text-anchor="middle" {
            (figure.y_label)
        }
    }
}

fn values(series: &[Series]) -> impl Iterator<Item = f64> {
    series.iter().flat_map(|one| &one.points).flat_map(|point| {
        let (low, high) = point.interval.map_or((point.y, point.y), |i| (i.low, i.high));
        [point.y, low, high]
    })
}

fn frame(figure: &Figure, x: Option<&Axis>, y: &Axis) -> Markup {
    let (bottom, right) = (HEIGHT - BOTTOM, WIDTH - RIGHT);
    html! {
        @for (value, words) in y.ticks() {
            @let place = y.place(value);
            (line("grid", [LEFT, right], [place; 2]))
            (text("tick", LEFT - 8.0, place + 4.0, "end", &words))
        }
        @if let Some(x) = x {
            @for (value, words) in x.ticks() {
                @let place = x.place(value);
                (line("grid", [place; 2], [TOP, bottom]))
                (text("tick", place, bottom + 18.0, "middle", &words))
            }
        }
        (line("axis", [LEFT, right], [bottom; 2]))
        (axis_words(figure, HEIGHT))
    }
}

fn plot(figure: &Figure, series: &[Series]) -> Markup {
    let xs = series.iter().flat_map(|one| &one.points).map(|point| point.x);
    let x = Axis::over(xs, figure.log_x, LEFT + 8.0, WIDTH - RIGHT - 8.0);
    let y = Axis::over(values(series), figure.log_y, HEIGHT - BOTTOM, TOP).rounded();
    let inside = html! {
        (frame(figure, Some(&x), &y))
        // Bands lie under all lines.
        @for (index, one) in series.iter().enumerate().filter(|(_, one)| one.line) {
            (band(one, index, &x, &y))
        }
        @for (index, one) in series.iter().enumerate() {
            @if one.line {
                path class={ "line c" (index % COLOURS) " " (role_class(one.role)) } d=(through(one, &x, &y)) {}
            }
            // Many points on a line would hide it.
            @if !one.line || one.points.len() <= 24 {
                @for point in &one.points {
                    @if !one.line { (whisker(point, x.place(point.x), &y, &format!("c{}", index % COLOURS))) }
                    (marker(index, x.place(point.x), y.place(point.y), one.points.len() > 60, &point_title(one, point)))
                }
            }
        }
    };
    drawing(figure, HEIGHT, &inside)
}

/// The path of a line through the points of a series.
fn through(one: &Series, x: &Axis, y: &Axis) -> String {
    let step = |(i, p): (usize, &Point)| {
        format!("{}{:.1} {:.1}", if i == 0 { "M" } else { "L" }, x.place(p.x), y.place(p.y))
    };
    one.points.iter().enumerate().map(step).collect()
}

fn band(one: &Series, index: usize, x: &Axis, y: &Axis) -> Markup {
    let bounds: Vec<(f64, f64, f64)> = one
        .points
        .iter()
        .filter_map(|p| p.interval.map(|i| (x.place(p.x), y.place(i.low), y.place(i.high))))
        .collect();
    if bounds.len() < 2 {
        return html! {};
    }
    let upper = bounds.iter().map(|(x, _, high)| format!("{x:.1},{high:.1} "));
    let lower = bounds.iter().rev().map(|(x, low, _)| format!("{x:.1},{low:.1} "));
    let path: String = upper.chain(lower).collect();
    html! { polygon class={ "band c" (index % COLOURS) } points=(path.trim_end()) {} }
}

fn whisker(point: &Point, x: f64, y: &Axis, class: &str) -> Markup {
    let Some(interval) = point.interval else { return html! {} };
    let (low, high, left) = (y.place(interval.low), y.place(interval.high), x - 4.0);
    let path = format!("M{x:.1} {low:.1}V{high:.1}M{left:.1} {low:.1}h8M{left:.1} {high:.1}h8");
    html! { path class={ "whisker " (class) } d=(path) {} }
}

/// A different shape for every series.
fn marker(index: usize, x: f64, y: f64, small: bool, words: &str) -> Markup {
    let r = if small { 2.2 } else { 4.0 };
    let class = format!("marker c{}", index % COLOURS);
    let size = at(r * 1.8);
    match index % 4 {
        0 => html! { circle cx=(at(x)) cy=(at(y)) r=(r) class=(class) { title { (words) } } },
        1 => html! {
            rect x=(at(x - r * 0.9)) y=(at(y - r * 0.9)) width=(size) height=(size) class=(class) {
                title { (words) }
            }
        },
        shape => {
            let path = if shape == 2 {
                format!("M{x:.1} {:.1}l{:.1} {:.1}h{:.1}z", y - r * 1.2, r * 1.15, r * 2.0, -r * 2.3)
            } else {
                format!("M{x:.1} {:.1}l{r} {r}l-{r} {r}l-{r} -{r}z", y - r)
            };
            html! { path d=(path) class=(class) { title { (words) } } }
        }
    }
}

fn point_title(one: &Series, point: &Point) -> String {
    let interval = point.interval.map(|i| format!(" [{:.4} – {:.4}]", i.low, i.high)).unwrap_or_default();
    format!("{}: {} → {:.4}{interval}", one.name, point.x, point.y)
}

fn role_class(role: Role) -> &'static str {
    match role {
        Role::Ours => "ours",
        Role::Paper => "paper",
        Role::Reference => "reference",
    }
}

fn legend(series: &[Series]) -> Markup {
    if series.len() < 2 && series.iter().all(|one| one.name.is_empty()) {
        return html! {};
    }
    html! {
        ul.legend {
            @for (index, one) in series.iter().enumerate() {
                li {
                    svg viewBox="0 0 34 14" width="34" height="14" aria-hidden="true" {
                        @if one.line {
                            path class={ "line c" (index % COLOURS) " " (role_class(one.role)) } d="M1 7H33" {}
                        }
                        @if !one.line || one.points.len() <= 24 {
                            (marker(index, 17.0, 7.0, false, &one.name))
                        }
                    }
                    " " (one.name)
                }
            }
        }
    }
}

fn bars(figure: &Figure, categories: &[String], series: &[Series]) -> Markup {
    let y = Axis::over(values(series).chain([0.0]), figure.log_y, HEIGHT - BOTTOM, TOP).rounded();
    let slot = (WIDTH - LEFT - RIGHT) / categories.len().max(1) as f64;
    let width = (slot * 0.8 / series.len().max(1) as f64).min(48.0);
    let bar = |name: &str, one: &Series, index: usize, point: &Point, x: f64| {
        let (top, base) = (y.place(point.y), y.base());
        html! {
            rect class={ "bar c" (index % COLOURS) " " (role_class(one.role)) }
                x=(at(x + 1.0)) y=(at(top.min(base))) width=(at(width - 2.0)) height=(at((base - top).abs())) {
                title { (name) ", " (one.name) ": " (format!("{:.4}", point.y)) }
            }
            (whisker(point, x + width / 2.0, &y, "ink"))
        }
    };
    let inside = html! {
        (frame(figure, None, &y))
        @for (place, name) in categories.iter().enumerate() {
            @let middle = LEFT + slot * (place as f64 + 0.5);
            @let left = middle - width * series.len() as f64 / 2.0;
            @for (index, one) in series.iter().enumerate() {
                @if let Some(point) = one.points.get(place) {
                    (bar(name, one, index, point, left + width * index as f64))
                }
            }
            (text("tick", middle, HEIGHT - BOTTOM + 18.0, "middle", name))
        }
    };
    drawing(figure, HEIGHT, &inside)
}

fn heat_map(figure: &Figure, heat: &Heat) -> Markup {
    let (columns, rows) = (heat.x_names.len().max(1), heat.y_names.len().max(1));
    let cell_width = (WIDTH - LEFT - RIGHT) / columns as f64;
    let cell_height = cell_width.clamp(14.0, 30.0);
    let height = TOP + BOTTOM + cell_height * rows as f64;
    let shade = Shade::over(heat);
    let cell = |x_name: &str, y_name: &str, x: f64, y: f64, value: f64| {
        let (colour, ink) = shade.of(value);
        html! {
            rect x=(at(x)) y=(at(y)) width=(at(cell_width - 1.5)) height=(at(cell_height - 1.5)) rx="2" fill=(colour) {
                title {
                    (figure.x_label) " " (x_name) ", " (figure.y_label) " " (y_name) ": "
                    (format!("{value:.3} {}", heat.unit))
                }
            }
            @if cell_width >= 27.0 {
                text class="number" fill=(ink) x=(at(x + cell_width / 2.0 - 0.7))
                    y=(at(y + cell_height / 2.0 + 3.2)) text-anchor="middle" { (short(value)) }
            }
        }
    };
    let inside = html! {
        @for (row, name) in heat.y_names.iter().enumerate() {
            @let y = TOP + cell_height * row as f64;
            (text("tick", LEFT - 8.0, y + cell_height / 2.0 + 4.0, "end", name))
            @for (column, x_name) in heat.x_names.iter().enumerate() {
                @if let Some(Some(value)) = heat.values.get(row).and_then(|line| line.get(column)) {
                    (cell(x_name, name, LEFT + cell_width * column as f64, y, *value))
                }
            }
        }
        @for (column, name) in heat.x_names.iter().enumerate() {
            (text("tick", LEFT + cell_width * (column as f64 + 0.5), height - BOTTOM + 18.0, "middle", name))
        }
        (axis_words(figure, height))
    };
    html! { (drawing(figure, height, &inside)) (shade.key(&heat.unit)) }
}

pub(super) fn short(value: f64) -> String {
    let text = match value.abs() {
        magnitude if magnitude >= 99.95 => format!("{value:.0}"),
        magnitude if magnitude >= 9.995 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    };
    text.replace('-', "−")
}
