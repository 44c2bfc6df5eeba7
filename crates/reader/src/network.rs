//! The computation from ids to outputs: an embedding, four gated convolutions, mean and maximum, four linear heads.

use ndarray::{Array1, Array2, ArrayView1, Axis, Slice, concatenate};
use safetensors::{Dtype, SafeTensors};

use crate::{MOST_IDS, OUTPUTS, ReaderError};

/// The number of values of a position.
const HIDDEN: usize = 192;
/// The distance from a position to the neighbours that each layer reads, on both sides.
const DISTANCES: [usize; 4] = [1, 1, 2, 4];
/// The heads with the numbers of their outputs, in order.
const HEADS: [(&str, usize); 4] = [("ready", 4), ("codes", 12), ("kind", 6), ("has", 10)];

/// A matrix of small integers with one scale per row, as it is stored.
#[derive(Debug)]
struct Rows {
    values: Vec<i8>,
    scales: Vec<f32>,
}

/// The scale and shift of a normalised position.
#[derive(Debug)]
struct Norm {
    weight: Array1<f32>,
    bias: Array1<f32>,
}

/// A gated convolution over three positions.
#[derive(Debug)]
struct Layer {
    distance: usize,
    /// The transposed matrix: 576 values in, 384 out.
    weight: Array2<f32>,
    bias: Array1<f32>,
    norm: Norm,
}

/// The weights of the whole network.
#[derive(Debug)]
pub(crate) struct Network {
    word: Rows,
    position: Rows,
    norm: Norm,
    layers: Vec<Layer>,
    /// All heads in one matrix.
    heads: Array2<f32>,
    head_bias: Array1<f32>,
}

impl Network {
    /// Reads the weights; `pieces` is the size of the vocabulary.
    pub(crate) fn parse(bytes: &[u8], pieces: usize) -> Result<Self, ReaderError> {
        let file = File(SafeTensors::deserialize(bytes)?);
        let norm = |name: &str| -> Result<Norm, ReaderError> {
            Ok(Norm {
                weight: file.vector(&format!("{name}.weight"), HIDDEN)?,
                bias: file.vector(&format!("{name}.bias"), HIDDEN)?,
            })
        };
        let layer = |(index, distance): (usize, usize)| -> Result<Layer, ReaderError> {
            let weight = file.matrix(&format!("ls.{index}.c.weight"), 2 * HIDDEN, 3 * HIDDEN)?;
            Ok(Layer {
                distance,
                weight: weight.t().as_standard_layout().into_owned(),
                bias: file.vector(&format!("ls.{index}.c.bias"), 2 * HIDDEN)?,
                norm: norm(&format!("ls.{index}.n"))?,
            })
        };
        let heads: Vec<Array2<f32>> = HEADS
            .iter()
            .map(|(name, rows)| file.matrix(&format!("{name}.weight"), *rows, 2 * HIDDEN))
            .collect::<Result<_, _>>()?;
        let biases: Vec<Array1<f32>> =
            HEADS.iter().map(|(name, rows)| file.vector(&format!("{name}.bias"), *rows)).collect::<Result<_, _>>()?;
        let joined = |name: &str| ReaderError::Tensor(name.to_owned());
        Ok(Self {
            word: file.rows("word.weight", pieces, HIDDEN)?,
            position: file.rows("pos.weight", MOST_IDS, HIDDEN)?,
            norm: norm("ln")?,
            layers: DISTANCES.into_iter().enumerate().map(layer).collect::<Result<_, _>>()?,
            heads: concatenate(Axis(0), &heads.iter().map(|head| head.view()).collect::<Vec<_>>())
                .map_err(|_| joined("heads"))?,
            head_bias: concatenate(Axis(0), &biases.iter().map(|bias| bias.view()).collect::<Vec<_>>())
                .map_err(|_| joined("heads"))?,
        })
    }

    /// The outputs for at most [`MOST_IDS`] ids, each below the size of the vocabulary.
    pub(crate) fn outputs(&self, ids: &[u32]) -> [f32; OUTPUTS] {
        let ids = &ids[..ids.len().min(MOST_IDS)];
        let mut x = Array2::zeros((ids.len(), HIDDEN));
        for (position, (id, mut row)) in ids.iter().zip(x.rows_mut()).enumerate() {
            let (word, word_scale) = self.word.row(*id as usize);
            let (place, place_scale) = self.position.row(position);
            for ((value, word), place) in row.iter_mut().zip(word).zip(place) {
                *value = f32::from(*word) * word_scale + f32::from(*place) * place_scale;
            }
        }
        self.norm.apply(&mut x);
        for layer in &self.layers {
            layer.apply(&mut x);
        }
        let mean = x.sum_axis(Axis(0)) / ids.len().max(1) as f32;
        let largest = x.fold_axis(Axis(0), f32::NEG_INFINITY, |most, value| most.max(*value));
        let pooled: Array1<f32> = mean.iter().chain(&largest).copied().collect();
        let values = self.heads.dot(&pooled) + &self.head_bias;
        let mut out = [0.0; OUTPUTS];
        out.iter_mut().zip(values).for_each(|(out, value)| *out = value);
        out
    }
}

impl Rows {
    fn row(&self, index: usize) -> (&[i8], f32) {
        (&self.values[index * HIDDEN..(index + 1) * HIDDEN], self.scales[index])
    }
}

impl Norm {
    /// Normalises every position to mean 0 and variance 1, then scales and shifts it.
    fn apply(&self, x: &mut Array2<f32>) {
        for mut row in x.rows_mut() {
            let mean = row.sum() / HIDDEN as f32;
            row -= mean;
            let variance = row.iter().map(|value| value * value).sum::<f32>() / HIDDEN as f32;
            row /= (variance + 1e-12).sqrt();
            row *= &self.weight;
            row += &self.bias;
        }
    }
}

impl Layer {
    fn apply(&self, x: &mut Array2<f32>) {
        let (count, far) = (x.nrows(), self.distance.min(x.nrows()));
        let mut window = Array2::zeros((count, 3 * HIDDEN));
        let [all, first, rest] = [Slice::from(..), Slice::from(..count - far), Slice::from(far..)];
        // The positions of the window to fill, those of the text to fill them from, and the third of the window.
        for (third, (to, from)) in [(rest, first), (all, all), (first, rest)].into_iter().enumerate() {
            let mut columns = window.slice_axis_mut(Axis(1), Slice::from(third * HIDDEN..(third + 1) * HIDDEN));
            columns.slice_axis_mut(Axis(0), to).assign(&x.slice_axis(Axis(0), from));
        }
        let joined = window.dot(&self.weight);
        for (mut row, joined) in x.rows_mut().into_iter().zip(joined.rows()) {
            gate(&mut row, joined, &self.bias);
        }
        self.norm.apply(x);
    }
}

/// Adds the first half of the values, each weighted by the sigmoid of its partner in the second half.
fn gate(row: &mut ndarray::ArrayViewMut1<'_, f32>, joined: ArrayView1<'_, f32>, bias: &Array1<f32>) {
    let (values, gates) = joined.split_at(Axis(0), HIDDEN);
    let (value_bias, gate_bias) = bias.view().split_at(Axis(0), HIDDEN);
    ndarray::Zip::from(row).and(values).and(gates).and(value_bias).and(gate_bias).for_each(
        |x, value, gate, value_bias, gate_bias| *x += (value + value_bias) / (1.0 + (-(gate + gate_bias)).exp()),
    );
}

/// The tensors of a file.
struct File<'f>(SafeTensors<'f>);

impl<'f> File<'f> {
    fn bytes(&self, name: &str, dtype: Dtype, shape: &[usize]) -> Result<&'f [u8], ReaderError> {
        let tensor = self.0.tensor(name).map_err(|_| ReaderError::Tensor(name.to_owned()))?;
        if tensor.dtype() != dtype || tensor.shape() != shape {
            return Err(ReaderError::Tensor(name.to_owned()));
        }
        Ok(tensor.data())
    }

    fn floats(&self, name: &str, count: usize) -> Result<Vec<f32>, ReaderError> {
        let bytes = self.bytes(name, Dtype::F32, &[count])?;
        let floats: Vec<f32> =
            bytes.chunks_exact(4).map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]])).collect();
        if floats.iter().all(|value| value.is_finite()) {
            Ok(floats)
        } else {
            Err(ReaderError::Tensor(name.to_owned()))
        }
    }

    fn vector(&self, name: &str, count: usize) -> Result<Array1<f32>, ReaderError> {
        self.floats(name, count).map(Array1::from_vec)
    }

    fn rows(&self, name: &str, rows: usize, columns: usize) -> Result<Rows, ReaderError> {
        let bytes = self.bytes(name, Dtype::I8, &[rows, columns])?;
        let values = bytes.iter().map(|byte| i8::from_le_bytes([*byte])).collect();
        Ok(Rows { values, scales: self.floats(&format!("{name}.scale"), rows)? })
    }

    fn matrix(&self, name: &str, rows: usize, columns: usize) -> Result<Array2<f32>, ReaderError> {
        let Rows { values, scales } = self.rows(name, rows, columns)?;
        let value = |(row, column)| f32::from(values[row * columns + column]) * scales[row];
        Ok(Array2::from_shape_fn((rows, columns), value))
    }
}
