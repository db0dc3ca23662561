"""Names of PyTorch that a script may use where the engine has them: pure data, read by surface/torch.py."""

from __future__ import annotations

TORCH = """
adjoint as_strided empty_strided narrow_copy unsafe_chunk unsafe_split unsafe_split_with_sizes
abs abs_ absolute acos acos_ acosh acosh_ adaptive_avg_pool1d adaptive_max_pool1d add addbmm addcdiv addcmul
addmm addmv addmv_ addr affine_grid_generator all allclose alpha_dropout alpha_dropout_ amax amin aminmax angle
any arange arccos arccos_ arccosh arccosh_ arcsin arcsin_ arcsinh arcsinh_ arctan arctan2 arctan_ arctanh
arctanh_ are_deterministic_algorithms_enabled argmax argmin argsort argwhere as_tensor asarray asin asin_ asinh
asinh_ atan atan2 atan_ atanh atanh_ atleast_1d atleast_2d atleast_3d avg_pool1d baddbmm bartlett_window
batch_norm
bernoulli bfloat16 bilinear
binary_cross_entropy_with_logits bincount binomial bit bitwise_and bitwise_left_shift bitwise_not bitwise_or
bitwise_right_shift bitwise_xor blackman_window block_diag bmm bool broadcast_shapes broadcast_tensors
broadcast_to bucketize can_cast cartesian_prod cat cdist ceil ceil_ celu celu_ chain_matmul channel_shuffle
cholesky cholesky_inverse cholesky_solve chunk clamp clamp_ clamp_max clamp_max_ clamp_min clamp_min_
clear_autocast_cache clip clip_ clone column_stack combinations concat
concatenate conj conj_physical conj_physical_ constant_pad_nd conv1d conv2d conv3d conv_tbc conv_transpose1d
conv_transpose2d conv_transpose3d convolution copysign corrcoef cos cos_ cosh cosh_ cosine_embedding_loss
cosine_similarity count_nonzero cov cross ctc_loss cummax cummin cumprod cumsum cumulative_trapezoid deg2rad
cdouble cfloat chalf complex complex128 complex32 complex64 imag ComplexDoubleTensor ComplexFloatTensor
deg2rad_ det detach detach_ diag diag_embed diagflat diagonal diagonal_scatter diff
digamma dist div divide dot double dropout dropout_ dsplit dstack eig einsum embedding embedding_bag
empty empty_like eq equal erf erf_ erfc erfc_ erfinv exp exp2 exp2_ exp_
expm1 expm1_ eye feature_alpha_dropout feature_alpha_dropout_ feature_dropout feature_dropout_ fill
fill_ fix fix_ flatten flip fliplr flipud float float16 float32 float64 float_power floor floor_ floor_divide
fmax fmin fmod frac frac_ frexp frobenius_norm from_numpy frombuffer full full_like
gather gcd gcd_ ge geqrf ger
get_default_device get_default_dtype
get_device get_float32_matmul_precision get_num_interop_threads get_num_threads get_rng_state gradient greater
greater_equal grid_sampler grid_sampler_2d grid_sampler_3d group_norm gt half hamming_window hann_window
hardshrink heaviside hinge_embedding_loss histc histogram histogramdd hsplit hstack hypot i0 i0_ igamma igammac
index_add index_fill index_put index_put_ index_reduce index_select initial_seed inner
instance_norm int int16 int32 int64 int8 inverse is_anomaly_check_nan_enabled is_anomaly_enabled

is_complex is_conj is_deterministic_algorithms_warn_only_enabled is_floating_point
is_grad_enabled is_inference_mode_enabled is_neg is_nonzero is_same_size is_signed is_tensor
is_warn_always_enabled isclose isfinite isin isinf isnan isneginf isposinf isreal istft kaiser_window kl_div
kron kthvalue layer_norm lcm lcm_ ldexp ldexp_ le lerp less less_equal lgamma linspace lobpcg log log10 log10_
log1p log1p_ log2 log2_ log_ log_softmax logaddexp logaddexp2 logcumsumexp logdet logical_and logical_not
logical_or logical_xor logit logit_ logspace logsumexp long lstsq lt lu lu_solve lu_unpack manual_seed
margin_ranking_loss masked_fill masked_scatter masked_select matmul matrix_exp matrix_power matrix_rank max
max_pool1d max_pool1d_with_indices max_pool2d max_pool3d maximum mean median meshgrid min minimum mm mode
moveaxis movedim msort mul multinomial multiply mv mvlgamma nan_to_num nan_to_num_ nanmean nanmedian nanquantile
nansum narrow ne neg neg_ negative negative_ nextafter nonzero nonzero_static norm
normal not_equal numel ones ones_like orgqr ormqr outer pairwise_distance pca_lowrank pdist permute
pinverse pixel_shuffle pixel_unshuffle poisson poisson_nll_loss polar polygamma positive pow prelu prod
promote_types qint8 qr quint8 rad2deg rad2deg_ rand rand_like randint
randint_like randn randn_like randperm range ravel reciprocal reciprocal_ relu relu_ remainder renorm
repeat_interleave reshape resolve_conj resolve_neg result_type rms_norm roll rot90 round round_ row_stack rrelu
rrelu_ rsqrt rsqrt_ rsub scalar_tensor scatter scatter_add scatter_reduce searchsorted seed select
select_scatter selu selu_

set_default_device set_default_dtype
set_float32_matmul_precision set_flush_denormal set_num_interop_threads set_num_threads
set_rng_state sgn short sigmoid sigmoid_ sign signbit sin sin_ sinc sinc_ sinh sinh_ slice_inverse
slice_scatter slogdet softmax solve sort split split_with_sizes sqrt sqrt_
square square_ squeeze stack std std_mean stft sub subtract sum svd svd_lowrank swapaxes swapdims
symeig t take take_along_dim tan tan_ tanh tanh_ tensor tensor_split tensordot
threshold threshold_ tile topk trace transpose trapezoid trapz triangular_solve tril tril_indices
triplet_margin_loss triu triu_indices true_divide trunc trunc_ uint16 uint32 uint64 uint8 unbind
unflatten unique unique_consecutive unravel_index
unsqueeze use_deterministic_algorithms vander var var_mean vdot view_as_complex
view_as_real vsplit vstack where xlogy xlogy_ zero_
zeros zeros_like
float float16 float32 float64 half double int int8 int16 int32 int64 long short uint8 bool bfloat16
FloatTensor DoubleTensor HalfTensor LongTensor IntTensor ShortTensor ByteTensor BoolTensor Tensor Generator Size dtype
device no_grad enable_grad inference_mode set_grad_enabled finfo iinfo default_generator set_printoptions
CharTensor index_copy layout memory_format put quantile real
sparse_coo sparse_csr
nonzero stack cat pow min max range strided channels_last channels_last_3d contiguous_format preserve_format save load
typename
"""

TENSOR = """
H T abs abs_ absolute absolute_ acos acos_ acosh acosh_ add add_ addbmm addbmm_ addcdiv addcdiv_ addcmul
addcmul_ addmm addmm_ addmv addmv_ addr addr_ all allclose amax amin aminmax angle any arccos arccos_ arccosh
arccosh_ arcsin arcsin_ arcsinh arcsinh_ arctan arctan2 arctan2_ arctan_ arctanh arctanh_ argmax argmin argsort
argwhere as_subclass asin asin_ asinh asinh_ atan atan2 atan2_ atan_ atanh atanh_ backward baddbmm baddbmm_
bernoulli bernoulli_ bfloat16 bincount bitwise_and bitwise_and_ bitwise_left_shift bitwise_left_shift_
bitwise_not bitwise_not_ bitwise_or bitwise_or_ bitwise_right_shift bitwise_right_shift_ bitwise_xor
bitwise_xor_ bmm bool broadcast_to byte cauchy_ ceil ceil_ char cholesky cholesky_inverse cholesky_solve chunk
clamp clamp_ clamp_max clamp_max_ clamp_min clamp_min_ clip clip_ clone conj conj_physical conj_physical_
const_data_ptr contiguous copy_ copysign copysign_ corrcoef cos cos_ cosh cosh_ count_nonzero cov cpu cross cuda
cummax cummin cumprod cumprod_ cumsum cumsum_ data deg2rad deg2rad_ det detach detach_ device diag diag_embed
diagflat diagonal diagonal_scatter diff digamma digamma_ dim dim_order dist div div_ divide divide_ dot double
dsplit dtype eig element_size eq eq_ equal erf erf_ erfc erfc_ erfinv erfinv_ exp exp2 exp2_ exp_ expand
expand_as expm1 expm1_ exponential_ fill_ fill_diagonal_ fix fix_ flatten flip fliplr flipud float float_power
float_power_ floor floor_ floor_divide floor_divide_ fmax fmin fmod fmod_ frac frac_ frexp gather gcd gcd_ ge
ge_ geometric_ geqrf ger get_device grad grad_fn greater greater_ greater_equal greater_equal_ gt gt_ half
hardshrink hash_tensor heaviside heaviside_ histc histogram hsplit hypot hypot_ i0 i0_ igamma igamma_ igammac
igammac_ index index_add index_add_ index_copy index_copy_ index_fill index_fill_ index_put index_put_
index_reduce index_reduce_ index_select inner int inverse is_complex is_conj is_contiguous is_cpu is_cuda
is_distributed is_floating_point is_inference is_leaf is_meta is_mkldnn is_mps is_nested is_pinned is_shared
adjoint is_sparse_csr is_xpu share_memory_ is_neg is_nonzero is_quantized is_same_size is_set_to is_signed is_sparse
isclose isfinite isinf isnan isneginf isposinf isreal istft item itemsize kron kthvalue layout lcm lcm_ ldexp
ldexp_ le le_ lerp lerp_ less less_ less_equal less_equal_ lgamma lgamma_ log log10 log10_ log1p log1p_ log2
log2_ log_ log_normal_ log_softmax logaddexp logaddexp2 logcumsumexp logdet logical_and logical_and_ logical_not
logical_not_ logical_or logical_or_ logical_xor logical_xor_ logit logit_ logsumexp long lstsq lt lt_ lu
lu_solve mH mT masked_fill masked_fill_ masked_scatter masked_scatter_ masked_select matmul matrix_exp matrix_power
max maximum mean median min minimum mm mode moveaxis movedim msort mul mul_ multinomial multiply multiply_ mv
mvlgamma mvlgamma_ name nan_to_num nan_to_num_ nanmean nanmedian nanquantile nansum narrow narrow_copy nbytes
ndim ndimension ne ne_ neg neg_ negative negative_ nelement new new_empty new_empty_strided new_full new_ones
new_tensor new_zeros nextafter nextafter_ nonzero nonzero_static norm normal_ not_equal not_equal_ numel numpy
orgqr ormqr outer output_nr permute pin_memory pinverse polygamma polygamma_ positive pow pow_ prelu prod qr quantile
rad2deg rad2deg_ random_ ravel reciprocal reciprocal_ register_hook register_post_accumulate_grad_hook relu
relu_ remainder remainder_ renorm renorm_ repeat repeat_interleave requires_grad requires_grad_ reshape
reshape_as resolve_conj resolve_neg retain_grad retains_grad roll rot90 round round_ rsqrt rsqrt_ scatter
scatter_ scatter_add scatter_add_ scatter_reduce scatter_reduce_ select select_scatter sgn sgn_ shape short
sigmoid sigmoid_ sign sign_ signbit sin sin_ sinc sinc_ sinh sinh_ size slice_inverse slice_scatter slogdet smm
softmax solve sort split split_with_sizes sqrt sqrt_ square square_ squeeze squeeze_ sspaddmm std stft stride
sub sub_ subtract subtract_ sum sum_to_size svd swapaxes swapaxes_ swapdims swapdims_ symeig t t_ take
take_along_dim tan tan_ tanh tanh_ tensor_split tile to tolist topk trace transpose transpose_ triangular_solve
tril tril_ triu triu_ true_divide true_divide_ trunc trunc_ type type_as unbind unflatten unfold uniform_ unique
unique_consecutive unsafe_chunk unsafe_split unsafe_split_with_sizes unsqueeze unsqueeze_ var vdot view view_as
cdouble cfloat imag
volatile vsplit where xlogy xlogy_ zero_ real put put_ as_strided resize_ resize_as_ resize resize_as set_
"""

NN = """
AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d AdaptiveLogSoftmaxWithLoss AdaptiveMaxPool1d
AdaptiveMaxPool2d AdaptiveMaxPool3d AlphaDropout AvgPool1d AvgPool2d AvgPool3d BCELoss BCEWithLogitsLoss
BatchNorm1d BatchNorm2d BatchNorm3d Bilinear Buffer CELU CTCLoss ChannelShuffle CircularPad1d CircularPad2d
CircularPad3d ConstantPad1d ConstantPad2d ConstantPad3d Container Conv1d Conv2d Conv3d ConvTranspose1d
ConvTranspose2d ConvTranspose3d CosineEmbeddingLoss CosineSimilarity CrossEntropyLoss CrossMapLRN2d DataParallel
Dropout Dropout1d Dropout2d Dropout3d ELU Embedding EmbeddingBag FeatureAlphaDropout Flatten Fold
FractionalMaxPool2d FractionalMaxPool3d GELU GLU GRU GRUCell GaussianNLLLoss GroupNorm Hardshrink Hardsigmoid
Hardswish Hardtanh HingeEmbeddingLoss HuberLoss Identity InstanceNorm1d InstanceNorm2d InstanceNorm3d KLDivLoss
L1Loss LPPool1d LPPool2d LPPool3d LSTM LSTMCell LayerNorm LazyBatchNorm1d LazyBatchNorm2d LazyBatchNorm3d
LazyConv1d LazyConv2d LazyConv3d LazyConvTranspose1d LazyConvTranspose2d LazyConvTranspose3d LazyInstanceNorm1d
LazyInstanceNorm2d LazyInstanceNorm3d LazyLinear LeakyReLU Linear LinearCrossEntropyLoss
LinearCrossEntropyOptions LocalResponseNorm LogSigmoid LogSoftmax MSELoss MarginRankingLoss MaxPool1d MaxPool2d
MaxPool3d MaxUnpool1d MaxUnpool2d MaxUnpool3d Mish Module ModuleDict ModuleList MultiLabelMarginLoss
MultiLabelSoftMarginLoss MultiMarginLoss MultiheadAttention NLLLoss NLLLoss2d PReLU PairwiseDistance Parameter
ParameterDict ParameterList PixelShuffle PixelUnshuffle PoissonNLLLoss RMSNorm RNN RNNBase RNNCell RNNCellBase
RReLU ReLU ReLU6 ReflectionPad1d ReflectionPad2d ReflectionPad3d ReplicationPad1d ReplicationPad2d
ReplicationPad3d SELU Sequential SiLU Sigmoid SmoothL1Loss SoftMarginLoss Softmax Softmax2d Softmin Softplus
Softshrink Softsign SyncBatchNorm Tanh Tanhshrink Threshold Transformer TransformerDecoder
TransformerDecoderLayer TransformerEncoder TransformerEncoderLayer TripletMarginLoss
TripletMarginWithDistanceLoss Unflatten Unfold UninitializedBuffer UninitializedParameter Upsample
UpsamplingBilinear2d UpsamplingNearest2d ZeroPad1d ZeroPad2d ZeroPad3d
ParameterList ParameterDict ModuleList ModuleDict Sequential Parameter Buffer
"""

NN_BASES = {
    "batchnorm": "_NormBase _BatchNorm",
    "conv": "_ConvNd",
    "dropout": "_DropoutNd",
    "loss": "_Loss _WeightedLoss",
}
"""Classes under many modules that scripts ask about or build upon, by the file they are in."""

FUNCTIONAL = """
adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool1d adaptive_max_pool1d_with_indices
adaptive_max_pool2d adaptive_max_pool2d_with_indices adaptive_max_pool3d adaptive_max_pool3d_with_indices
affine_grid alpha_dropout avg_pool1d avg_pool2d avg_pool3d batch_norm bilinear binary_cross_entropy
binary_cross_entropy_with_logits celu celu_ channel_shuffle conv1d conv2d conv3d conv_tbc conv_transpose1d
conv_transpose2d conv_transpose3d cosine_embedding_loss cosine_similarity cross_entropy ctc_loss dropout
dropout1d dropout2d dropout3d elu elu_ embedding embedding_bag feature_alpha_dropout fold fractional_max_pool2d
fractional_max_pool2d_with_indices fractional_max_pool3d fractional_max_pool3d_with_indices gaussian_nll_loss
gelu glu grid_sample group_norm grouped_mm gumbel_softmax hardshrink hardsigmoid hardswish hardtanh hardtanh_
hinge_embedding_loss huber_loss instance_norm interpolate kl_div l1_loss layer_norm leaky_relu leaky_relu_
linear linear_cross_entropy local_response_norm log_softmax logsigmoid lp_pool1d lp_pool2d lp_pool3d
margin_ranking_loss max_pool1d max_pool1d_with_indices max_pool2d max_pool2d_with_indices max_pool3d
max_pool3d_with_indices max_unpool1d max_unpool2d max_unpool3d mish mse_loss multi_head_attention_forward
multi_margin_loss multilabel_margin_loss multilabel_soft_margin_loss native_channel_shuffle nll_loss normalize
one_hot pad pairwise_distance pdist pixel_shuffle pixel_unshuffle poisson_nll_loss prelu relu relu6 relu_
rms_norm rrelu rrelu_ scaled_dot_product_attention scaled_grouped_mm scaled_mm selu selu_ sigmoid silu
smooth_l1_loss soft_margin_loss softmax softmin softplus softshrink softsign tanh tanhshrink threshold
threshold_ triplet_margin_loss triplet_margin_with_distance_loss unfold upsample upsample_bilinear
upsample_nearest"""

OPTIM = """
ASGD Adadelta Adafactor Adagrad Adam AdamW Adamax LBFGS NAdam Optimizer RAdam RMSprop Rprop SGD SparseAdam Muon
"""

SCHEDULER = """
ChainedScheduler ConstantLR CosineAnnealingLR CosineAnnealingWarmRestarts CyclicLR ExponentialLR LRScheduler LambdaLR
LinearLR MultiStepLR MultiplicativeLR OneCycleLR PolynomialLR ReduceLROnPlateau SequentialLR StepLR
"""

INIT = """
_calculate_correct_fan _calculate_fan_in_and_fan_out
calculate_gain constant constant_ dirac_ eye_ kaiming_normal kaiming_normal_ kaiming_uniform kaiming_uniform_ normal
normal_ ones_ orthogonal orthogonal_ sparse_ trunc_normal_ uniform uniform_ xavier_normal xavier_normal_ xavier_uniform
xavier_uniform_ zeros_
"""

NN_UTILS = """
clip_grad_norm clip_grad_norm_ clip_grad_value_ parameters_to_vector vector_to_parameters spectral_norm weight_norm
remove_weight_norm remove_spectral_norm get_total_norm clip_grads_with_norm_
"""

RNN_UTILS = """pack_padded_sequence pad_packed_sequence pad_sequence pack_sequence unpad_sequence unpack_sequence
PackedSequence invert_permutation"""

DATA = """
BatchSampler ChainDataset ConcatDataset DataLoader Dataset IterableDataset RandomSampler Sampler SequentialSampler
StackDataset Subset SubsetRandomSampler TensorDataset WeightedRandomSampler default_collate default_convert
get_worker_info random_split
"""

AUTOGRAD = """
Function Variable backward detect_anomaly enable_grad grad gradcheck gradgradcheck inference_mode no_grad
set_detect_anomaly set_grad_enabled
"""

AUTOGRAD_FUNCTIONAL = "jacobian hessian vjp jvp hvp vhp"

FFT = """
fft fft2 fftfreq fftn fftshift hfft hfft2 hfftn ifft ifft2 ifftn ifftshift ihfft ihfft2 ihfftn irfft irfft2 irfftn
rfft rfft2 rfftfreq rfftn
"""

LINALG = """
LinAlgError cholesky cholesky_ex cond cross det diagonal eig eigh eigvals eigvalsh inv inv_ex lstsq lu lu_factor
lu_solve matmul matrix_exp matrix_norm matrix_power matrix_rank multi_dot norm pinv qr slogdet solve solve_ex
solve_triangular svd svdvals tensorinv tensorsolve vander vecdot vector_norm
"""

SPECIAL = """
airy_ai bessel_j0 bessel_j1 bessel_y0 bessel_y1 digamma entr erf erfc erfcx erfinv exp2 expit expm1 gammainc gammaincc
gammaln i0 i0e i1 i1e log1p log_ndtr log_softmax logit logsumexp multigammaln ndtr ndtri polygamma psi round sinc
softmax xlog1py xlogy zeta
"""

MODULE = """
add_module apply bfloat16 buffers children compile cpu cuda double eval extra_repr float forward get_buffer
get_extra_state get_parameter _get_name get_submodule half share_memory _load_from_state_dict
load_state_dict modules
named_buffers named_children named_modules named_parameters
parameters register_backward_hook register_buffer register_forward_hook register_forward_pre_hook
register_full_backward_hook
register_full_backward_pre_hook register_load_state_dict_post_hook register_load_state_dict_pre_hook
_register_load_state_dict_pre_hook register_module register_parameter register_state_dict_post_hook
register_state_dict_pre_hook _register_state_dict_hook requires_grad_ _save_to_state_dict set_submodule
set_extra_state state_dict to to_empty train training type zero_grad
"""

CONTAINER = """append extend insert keys values items pop clear update get _check_input_dim
_conv_forward _reversed_padding_repeated_twice"""

OPTIMIZER = """
_cuda_graph_capture_health_check add_param_group defaults load_state_dict param_groups
register_load_state_dict_post_hook
register_load_state_dict_pre_hook register_state_dict_post_hook register_state_dict_pre_hook register_step_post_hook
register_step_pre_hook state state_dict
step zero_grad
"""
